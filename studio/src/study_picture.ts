// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { colorText, type Coloring } from "./study_colors";
import { axisTicks, Scale, type Tick } from "./study_scale";
import { formatUnit } from "./format";
import { cssColor } from "./theme";

const kSvg = "http://www.w3.org/2000/svg";
const kFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
export const kTextSize = 12;
const kRow = 20; // of a legend
const kGap = 14; // between things beside each other

const pen = document.createElement("canvas").getContext("2d")!;
export function textWidth(text: string, size = kTextSize, weight = 400): number {
  pen.font = `${weight} ${size}px ${kFamily}`;
  return pen.measureText(text).width;
}

// Shortened to a width, the end replaced by an ellipsis.
export function fitted(text: string, width: number, size = kTextSize, weight = 400): string {
  if (textWidth(text, size, weight) <= width) return text;
  let kept = text.length;
  while (kept > 1 && textWidth(`${text.slice(0, kept)}…`, size, weight) > width) kept--;
  return `${text.slice(0, kept).trimEnd()}…`;
}

export const nameWithUnit = ({ name, unit }: { name: string; unit: string }): string =>
  formatUnit(unit) ? `${name} [${formatUnit(unit)}]` : name;

export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

// What a mark in the legend looks like.
export interface LegendItem {
  mark: "box" | "line" | "dashes" | "cross" | "band";
  color: string;
  label: string;
}

type Attributes = Record<string, string | number>;

// A drawing that carries its colours with it, so that what is saved looks like what is seen.
export class Picture {
  readonly node: SVGSVGElement;
  readonly ink = cssColor("ink");
  readonly muted = cssColor("muted");
  readonly rule = cssColor("rule");
  readonly paper = cssColor("panel");

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.node = document.createElementNS(kSvg, "svg");
    const attributes = { xmlns: kSvg, width, height, viewBox: `0 0 ${width} ${height}`, "font-family": kFamily, "font-size": kTextSize };
    for (const [name, value] of Object.entries(attributes)) this.node.setAttribute(name, String(value));
    this.shape("rect", { width, height, fill: this.paper });
  }

  shape(tag: string, attributes: Attributes, title?: string): SVGElement {
    const node = document.createElementNS(kSvg, tag);
    for (const [name, value] of Object.entries(attributes))
      node.setAttribute(name, typeof value === "number" ? String(Math.round(100 * value) / 100) : value);
    if (title) {
      const text = document.createElementNS(kSvg, "title");
      text.textContent = title;
      node.append(text);
    }
    this.node.append(node);
    return node;
  }

  text(x: number, y: number, text: string, attributes: Attributes = {}): SVGElement {
    const node = this.shape("text", { x, y, fill: this.ink, ...attributes });
    node.textContent = text;
    return node;
  }

  line(x1: number, y1: number, x2: number, y2: number, attributes: Attributes = {}): SVGElement {
    return this.shape("line", { x1, y1, x2, y2, stroke: this.muted, "stroke-width": 1, ...attributes });
  }

  // A picture of pixels in a rectangle, its rows from the top; pixels stay pixels.
  raster(canvas: HTMLCanvasElement, { left, top, right, bottom }: Rectangle): void {
    this.shape("image", {
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      href: canvas.toDataURL("image/png"),
      preserveAspectRatio: "none",
      style: "image-rendering: pixelated",
    });
  }
}

// A frame with two axes: title above, legend below.
export interface FrameWishes {
  title: string;
  note?: string; // beside the title, or below it
  x: { title: string; range: [number, number]; logarithmic?: boolean; levels?: Float64Array | undefined };
  y: { title: string; range: [number, number]; logarithmic?: boolean; levels?: Float64Array | undefined };
  legend: LegendItem[];
  colors?: Coloring | undefined; // a scale of colours below
  grid?: boolean;
}

export interface Frame {
  area: Rectangle;
  x: Scale;
  y: Scale;
}

export function drawFrame(picture: Picture, wishes: FrameWishes): Frame {
  const { width, height } = picture;
  const edge = 14;
  // From above: title, note, title of the y axis.
  let top = 24;
  const title = fitted(wishes.title, width - 2 * edge, 14, 600);
  picture.text(edge, top, title, { "font-size": 14, "font-weight": 600 });
  if (wishes.note) {
    const beside = edge + textWidth(title, 14, 600) + kGap;
    if (beside + textWidth(wishes.note) <= width - edge) {
      picture.text(beside, top, wishes.note, { fill: picture.muted });
    } else {
      top += 18;
      picture.text(edge, top, fitted(wishes.note, width - 2 * edge), { fill: picture.muted });
    }
  }
  if (wishes.y.title !== wishes.title) {
    top += 24;
    picture.text(edge, top, fitted(wishes.y.title, width - 2 * edge));
  }
  top += 10;

  // From below: legend, title of the x axis, ticks.
  const rows = legendRows(wishes.legend, width - 2 * edge);
  let bottom = height - 8 - rows.length * kRow - (wishes.colors ? 36 : 0);
  drawLegend(picture, rows, edge, bottom + (wishes.colors ? 36 : 0));
  if (wishes.colors) drawColors(picture, wishes.colors, edge, bottom, Math.min(320, width - 2 * edge));
  bottom -= 46;

  const y = new Scale(...wishes.y.range, bottom, top, wishes.y.logarithmic);
  const yTicks = axisTicks(y, wishes.y.levels, () => 22);
  const widest = Math.max(...yTicks.map(({ label }) => textWidth(label)));
  const left = edge + Math.ceil(widest) + 8;
  const right = width - edge - 6;
  const x = new Scale(...wishes.x.range, left, right, wishes.x.logarithmic);
  const xTicks = axisTicks(x, wishes.x.levels, (label) => textWidth(label) + 12);
  const area = { left, top, right, bottom };
  drawTicks(picture, area, x, xTicks, y, yTicks, wishes.grid ?? false);
  picture.text(right, bottom + 38, fitted(wishes.x.title, right - edge), { "text-anchor": "end" });
  return { area, x, y };
}

function drawTicks(picture: Picture, area: Rectangle, x: Scale, xTicks: Tick[], y: Scale, yTicks: Tick[], grid: boolean): void {
  const { left, right, top, bottom } = area;
  for (const { value, label } of yTicks) {
    const at = y.place(value);
    picture.line(grid ? left : left - 4, at, grid ? right : left, at, { stroke: picture.rule });
    picture.text(left - 7, at + 4, label, { "text-anchor": "end", fill: picture.muted });
  }
  for (const { value, label } of xTicks) {
    const at = x.place(value);
    picture.line(at, grid ? top : bottom, at, bottom + 4, { stroke: picture.rule });
    const half = textWidth(label) / 2;
    const middle = Math.min(Math.max(at, half + 2), picture.width - half - 2);
    picture.text(middle, bottom + 18, label, { "text-anchor": "middle", fill: picture.muted });
  }
  picture.shape("rect", { x: left, y: top, width: right - left, height: bottom - top, fill: "none", stroke: picture.muted, "stroke-width": 0.8 });
}

const itemWidth = (item: LegendItem): number => 20 + textWidth(item.label) + kGap;

function legendRows(items: LegendItem[], width: number): LegendItem[][] {
  const rows: LegendItem[][] = [];
  let used = Infinity;
  for (const item of items) {
    const needed = itemWidth(item);
    if (used + needed > width + kGap) {
      rows.push([]);
      used = 0;
    }
    rows[rows.length - 1]!.push({ ...item, label: fitted(item.label, width - 20) });
    used += needed;
  }
  return rows;
}

function drawLegend(picture: Picture, rows: LegendItem[][], left: number, top: number): void {
  rows.forEach((row, k) => {
    let x = left;
    const y = top + k * kRow + 12;
    for (const item of row) {
      drawMark(picture, item, x, y);
      picture.text(x + 20, y + 4, item.label);
      x += itemWidth(item);
    }
  });
}

function drawMark(picture: Picture, { mark, color }: LegendItem, x: number, y: number): void {
  if (mark === "box" || mark === "band") {
    picture.shape("rect", { x, y: y - 5, width: 13, height: 10, rx: 2, fill: color, "fill-opacity": mark === "band" ? 0.25 : 1 });
  } else if (mark === "cross") {
    drawCross(picture, x + 6, y, 4, color);
  } else {
    picture.line(x, y, x + 14, y, { stroke: color, "stroke-width": 2, ...(mark === "dashes" ? { "stroke-dasharray": "5 3" } : {}) });
  }
}

export function drawCross(picture: Picture, x: number, y: number, size: number, color: string): void {
  picture.shape("path", {
    d: `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`,
    stroke: color,
    "stroke-width": 1.6,
    fill: "none",
  });
}

function drawColors(picture: Picture, colors: Coloring, left: number, top: number, width: number): void {
  const canvas = document.createElement("canvas");
  canvas.width = 256;
  canvas.height = 1;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(256, 1);
  for (let k = 0; k < 256; k++) image.data.set([...colors.colorAt(k / 255), 255], 4 * k);
  context.putImageData(image, 0, 0);
  const bar = { left, top: top + 4, right: left + width, bottom: top + 14 };
  picture.raster(canvas, bar);
  let free = -Infinity;
  for (const { share, label } of colors.ticks(5)) {
    const at = left + share * width;
    const half = textWidth(label) / 2;
    const middle = Math.min(Math.max(at, left + half - 2), left + width - half + 2);
    if (middle - half < free + 8) continue;
    free = middle + half;
    picture.line(at, top + 14, at, top + 18);
    picture.text(middle, top + 30, label, { "text-anchor": "middle", fill: picture.muted });
  }
}

// The colour of a legend's box, as text.
export const boxItem = (label: string, color: [number, number, number]): LegendItem => ({ mark: "box", color: colorText(color), label });
