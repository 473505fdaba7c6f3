// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { formatNumber } from "./format";
import { Cells } from "./study_cells";
import { coloring, colorText, mix, parseColor, wordColor, type Rgb } from "./study_colors";
import { boundary, contour } from "./study_contour";
import { kFailed, kInferred } from "./study_data";
import { boxItem, drawCross, drawFrame, nameWithUnit, Picture, type LegendItem } from "./study_picture";
import { cellBorders, growsByRatios, type Scale } from "./study_scale";
import type { StudyState, View } from "./study_state";
import { cssColor } from "./theme";

const kPale = 0.55; // how far an inferred cell is mixed with the paper
const kCrossed = 14; // pixels: failed cells as large as this get a cross

// A quantity over two parameters, a cell a point, with the boundary of a verdict and the contour of a number.
export function drawMap(state: StudyState, width: number, height: number): View {
  const { x: xParameter, y: yParameter, quantity } = state;
  const cells = new Cells(state, xParameter, yParameter);
  const field = cells.field(quantity);
  const colors = coloring(quantity, state.logarithmic);
  const axes = [xParameter, yParameter].map((parameter) => {
    const logarithmic = growsByRatios(parameter.levels!);
    const borders = cellBorders(parameter.levels!, logarithmic);
    return { logarithmic, borders, range: [borders[0]!, borders[borders.length - 1]!] as [number, number] };
  });
  const [xAxis, yAxis] = axes as [(typeof axes)[0], (typeof axes)[0]];

  const picture = new Picture(width, height);
  const paper = parseColor(cssColor("panel"));
  const failedColor = parseColor(cssColor("event"));
  const noneColor = mix(parseColor(cssColor("neutral")), paper, 0.6);
  const color = (cell: number): Rgb | undefined => {
    if (cells.first[cell]! < 0) return undefined;
    const value = field.values[cell]!;
    const status = cells.status(cell);
    if (Number.isNaN(value)) return status === kFailed ? failedColor : status === kInferred ? mix(noneColor, paper, kPale) : noneColor;
    return status === kInferred ? mix(colors.colorOf(value), paper, kPale) : colors.colorOf(value);
  };

  // The contour of the shown number, or of the margin that belongs to the shown verdict.
  const margin = quantity.isVerdict ? state.data.partner(quantity) : undefined;
  const level = margin ? 1 : state.level;
  const lined = margin ?? (quantity.inWords ? undefined : quantity);
  const legend: LegendItem[] = quantity.words
    .filter((_, k) => field.values.includes(k))
    .map((word) => boxItem(word, wordColor(quantity, word)));
  const has = (test: (cell: number) => boolean): boolean => cells.first.some((point, cell) => point >= 0 && test(cell));
  if (quantity.inWords) legend.push({ mark: "line", color: picture.ink, label: "boundary" });
  if (lined && level !== undefined) {
    legend.push({ mark: quantity.inWords ? "dashes" : "line", color: contourColor(picture, quantity.inWords), label: `${lined.name} = ${formatNumber(level)}` });
  }
  if (has((cell) => cells.status(cell) === kInferred))
    legend.push({ ...boxItem("pale: inferred, not run", mix(quantity.inWords ? wordColor(quantity, quantity.words[0]!) : noneColor, paper, kPale)) });
  if (has((cell) => cells.status(cell) === kFailed)) legend.push(boxItem("failed", failedColor));
  if (has((cell) => cells.status(cell) === 0 && Number.isNaN(field.values[cell]!))) legend.push(boxItem("no value", noneColor));

  const several = cells.severalInACell ? (quantity.inWords ? "gravest of each cell" : "mean of each cell") : "";
  const { area, x, y } = drawFrame(picture, {
    title: nameWithUnit(quantity),
    note: [state.heldText, several].filter(Boolean).join(" · "),
    x: { title: nameWithUnit(xParameter), range: xAxis.range, logarithmic: xAxis.logarithmic, levels: xParameter.levels },
    y: { title: nameWithUnit(yParameter), range: yAxis.range, logarithmic: yAxis.logarithmic, levels: yParameter.levels },
    legend,
    colors: quantity.inWords ? undefined : colors,
  });
  const frame = picture.node.querySelector("rect[fill=none]");

  picture.raster(paint(cells, color, xAxis.borders, yAxis.borders, x, y), area);
  const placeX = Float64Array.from(xParameter.levels!, (value) => x.place(value));
  const placeY = Float64Array.from(yParameter.levels!, (value) => y.place(value));
  const borderX = Float64Array.from(xAxis.borders, (value) => x.place(value));
  const borderY = Float64Array.from(yAxis.borders, (value) => y.place(value));
  const line = { fill: "none", stroke: picture.ink, "stroke-width": 1.6, "stroke-linecap": "round" };
  if (quantity.inWords) picture.shape("path", { ...line, d: boundary(field, borderX, borderY) });
  if (lined && level !== undefined) {
    const d = contour(margin ? cells.field(margin) : field, level, placeX, placeY);
    // On dark and on light colours.
    if (!quantity.inWords) picture.shape("path", { ...line, d, stroke: "#ffffff", "stroke-width": 3.6, "stroke-opacity": 0.8 });
    picture.shape("path", {
      ...line,
      d,
      class: "contour",
      stroke: contourColor(picture, quantity.inWords),
      ...(quantity.inWords ? { "stroke-dasharray": "5 3" } : {}),
    });
  }
  const cellWidth = (area.right - area.left) / cells.columns;
  const cellHeight = (area.bottom - area.top) / cells.rows;
  if (Math.min(cellWidth, cellHeight) >= kCrossed) {
    cells.first.forEach((point, cell) => {
      if (point < 0 || cells.status(cell) !== kFailed) return;
      drawCross(picture, placeX[cell % cells.columns]!, placeY[Math.floor(cell / cells.columns)]!, 4, colorText(paper));
    });
  }
  if (frame) picture.node.append(frame); // the axes on top

  const inside = (px: number, py: number): boolean => px >= area.left && px <= area.right && py >= area.top && py <= area.bottom;
  const cellOf = (point: number): number => yParameter.index![point]! * cells.columns + xParameter.index![point]!;
  return {
    picture,
    pick: (px, py) => {
      if (!inside(px, py)) return -1;
      const column = locate(borderX, px);
      const row = locate(borderY, py);
      return cells.first[row * cells.columns + column] ?? -1;
    },
    place: (point) => (cells.points(cellOf(point)).includes(point) ? [x.place(xParameter.at(point)), y.place(yParameter.at(point))] : undefined),
    step: (point, dx, dy) => {
      const column = Math.min(Math.max(xParameter.index![point]! + dx, 0), cells.columns - 1);
      const row = Math.min(Math.max(yParameter.index![point]! + dy, 0), cells.rows - 1);
      return cells.first[row * cells.columns + column]!;
    },
  };
}

const contourColor = (picture: Picture, onWords: boolean): string => (onWords ? picture.ink : "#000000");

// The cell between whose borders a place lies; borders run up or down.
function locate(borders: Float64Array, place: number): number {
  const sign = borders[borders.length - 1]! >= borders[0]! ? 1 : -1;
  let low = 0;
  let high = borders.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sign * borders[middle]! <= sign * place) low = middle;
    else high = middle;
  }
  return low;
}

// A pixel a cell where cells are equal and not smaller than pixels; else a pixel a pixel.
function paint(
  cells: Cells,
  color: (cell: number) => Rgb | undefined,
  xBorders: Float64Array,
  yBorders: Float64Array,
  x: Scale,
  y: Scale,
): HTMLCanvasElement {
  const resolution = (count: number, borders: Float64Array, scale: Scale): number => {
    const pixels = Math.ceil(Math.abs(scale.to - scale.from) * Math.min(devicePixelRatio, 2));
    const wide = Math.abs(scale.to - scale.from) / count;
    const equal = borders.every((border, k) => Math.abs(scale.place(border) - (scale.from + (k * (scale.to - scale.from)) / count)) < 0.05 * wide);
    return equal && count <= pixels ? count : pixels;
  };
  const width = resolution(cells.columns, xBorders, x);
  const height = resolution(cells.rows, yBorders, y);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(width, height);
  const lookUp = (count: number, borders: Float64Array, scale: Scale): Int32Array => {
    const places = Float64Array.from(borders, (border) => scale.place(border));
    return Int32Array.from({ length: count }, (_, k) => locate(places, scale.from + ((k + 0.5) / count) * (scale.to - scale.from)));
  };
  const column = lookUp(width, xBorders, x);
  const row = lookUp(height, yBorders, y);
  for (let py = 0; py < height; py++) {
    const base = row[height - 1 - py]! * cells.columns; // rows of a picture go down
    for (let px = 0; px < width; px++) {
      const rgb = color(base + column[px]!);
      if (!rgb) continue;
      const at = 4 * (py * width + px);
      image.data[at] = rgb[0];
      image.data[at + 1] = rgb[1];
      image.data[at + 2] = rgb[2];
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
