// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { formatNumber } from "./format";
import { Cells } from "./study_cells";
import { colorText, wordColor } from "./study_colors";
import { kFailed, kInferred, type Quantity } from "./study_data";
import { drawCross, drawFrame, nameWithUnit, Picture, type LegendItem, type Rectangle } from "./study_picture";
import { cellBorders, growsByRatios, type Scale } from "./study_scale";
import type { StudyState, View } from "./study_state";
import { cssColor, paletteColor } from "./theme";

const kMarked = 80; // so many points are drawn as dots, too

// What the curve shows: the chosen number, or the one that belongs to the chosen verdict.
export const curveNumber = ({ quantity, data, numbers }: StudyState): Quantity | undefined =>
  quantity.inWords ? (data.partner(quantity) ?? numbers[0]) : quantity;

// A number over one parameter, the verdict as bands behind it. Where random parameters put several points at a value: their mean,
// and a band from the least to the largest.
export function drawCurve(state: StudyState, width: number, height: number): View {
  const { x: parameter, data } = state;
  const levels = parameter.levels!;
  const cells = new Cells(state, parameter, undefined);
  const number = curveNumber(state);
  const verdict = state.quantity.inWords ? state.quantity : data.partner(state.quantity);
  const values = number ? cells.field(number).values : new Float64Array(levels.length).fill(NaN);
  const { low, high } = number && cells.severalInACell ? cells.extremes(number) : { low: values, high: values };
  const words = verdict ? cells.field(verdict).values : undefined;

  const picture = new Picture(width, height);
  const failed = cells.first.some((point, cell) => point >= 0 && cells.status(cell) === kFailed);
  const inferred = cells.first.some((point, cell) => point >= 0 && cells.status(cell) === kInferred);
  const level = number?.isMargin ? 1 : state.quantity.inWords ? undefined : state.level;
  const curveColor = paletteColor(0);
  const legend: LegendItem[] = [];
  if (number) legend.push({ mark: "line", color: curveColor, label: number.name });
  if (cells.severalInACell) legend.push({ mark: "band", color: curveColor, label: "least to largest" });
  verdict?.words.forEach((word, k) => {
    if (words!.includes(k)) legend.push({ mark: "band", color: colorText(wordColor(verdict, word)), label: word });
  });
  if (level !== undefined && number) legend.push({ mark: "dashes", color: picture.ink, label: `${number.name} = ${formatNumber(level)}` });
  if (failed) legend.push({ mark: "cross", color: cssColor("event"), label: "failed" });
  if (inferred) legend.push({ mark: "band", color: picture.muted, label: "pale: inferred, not run" });

  const logarithmic = growsByRatios(levels);
  const byRatios = state.logarithmic && (number?.statistics.spread?.least ?? 0) > 0;
  const borders = cellBorders(levels, logarithmic);
  const { area, x, y } = drawFrame(picture, {
    title: number ? nameWithUnit(number) : nameWithUnit(state.quantity),
    note: [state.heldText, cells.severalInACell ? "mean at each value" : ""].filter(Boolean).join(" · "),
    x: { title: nameWithUnit(parameter), range: [borders[0]!, borders[levels.length]!], logarithmic, levels },
    y: { title: number ? nameWithUnit(number) : "", range: paddedRange(low, high, level, byRatios), logarithmic: byRatios },
    legend,
    grid: true,
  });
  if (verdict && words) drawBands(picture, area, verdict, words, cells, borders, x);
  const place = (k: number): [number, number] => [x.place(levels[k]!), y.place(values[k]!)];
  const finite = [...values.keys()].filter((k) => Number.isFinite(values[k]!));
  if (cells.severalInACell && finite.length > 1) {
    const up = finite.map((k) => `${x.place(levels[k]!).toFixed(1)} ${y.place(high[k]!).toFixed(1)}`);
    const down = finite.map((k) => `${x.place(levels[k]!).toFixed(1)} ${y.place(low[k]!).toFixed(1)}`).reverse();
    picture.shape("path", { d: `M${up.join("L")}L${down.join("L")}Z`, fill: curveColor, "fill-opacity": 0.2 });
  }
  if (level !== undefined && level >= y.min && level <= y.max)
    picture.line(area.left, y.place(level), area.right, y.place(level), { stroke: picture.ink, "stroke-width": 1.2, "stroke-dasharray": "5 3" });
  picture.shape("path", { d: brokenLine(levels.length, values, place), fill: "none", stroke: curveColor, "stroke-width": 1.8, class: "curve" });
  if (levels.length <= kMarked)
    for (const k of finite) picture.shape("circle", { cx: place(k)[0], cy: place(k)[1], r: 2.6, fill: curveColor });
  cells.first.forEach((point, k) => {
    if (point >= 0 && cells.status(k) === kFailed) drawCross(picture, x.place(levels[k]!), area.bottom - 8, 4, cssColor("event"));
  });

  const nearest = (px: number): number => {
    let best = -1;
    let distance = Infinity;
    levels.forEach((value, k) => {
      const d = Math.abs(x.place(value) - px);
      if (cells.first[k]! >= 0 && d < distance) [best, distance] = [k, d];
    });
    return best;
  };
  const held = state.held;
  return {
    picture,
    pick: (px, py) => (px < area.left || px > area.right || py < area.top || py > area.bottom ? -1 : (cells.first[nearest(px)] ?? -1)),
    place: (point) => {
      const k = parameter.index![point]!;
      if (held.some((other) => other.index![point] !== state.slice.get(other))) return undefined;
      const value = number ? number.at(point) : NaN;
      return [x.place(levels[k]!), Number.isFinite(value) ? y.place(value) : area.bottom - 8];
    },
    step: (point, dx) => cells.first[Math.min(Math.max(parameter.index![point]! + dx, 0), levels.length - 1)]!,
  };
}

// Behind the curve, neighbours with the same word as one band; inferred ones paler.
function drawBands(picture: Picture, area: Rectangle, verdict: Quantity, words: Float64Array, cells: Cells, borders: Float64Array, x: Scale): void {
  for (let from = 0, to = 0; from < words.length; from = to) {
    const inferred = cells.status(from) === kInferred;
    for (to = from + 1; to < words.length && words[to] === words[from] && (cells.status(to) === kInferred) === inferred; ) to++;
    const word = verdict.words[words[from]!];
    if (word === undefined) {
      to = from + 1;
      continue;
    }
    const left = x.place(borders[from]!);
    picture.shape("rect", {
      x: left,
      y: area.top,
      width: x.place(borders[to]!) - left,
      height: area.bottom - area.top,
      fill: colorText(wordColor(verdict, word)),
      "fill-opacity": inferred ? 0.1 : 0.22,
      class: "verdict-band",
    });
  }
}

function brokenLine(count: number, values: Float64Array, place: (k: number) => [number, number]): string {
  let path = "";
  let drawing = false;
  for (let k = 0; k < count; k++) {
    if (!Number.isFinite(values[k]!)) {
      drawing = false;
      continue;
    }
    const [px, py] = place(k);
    path += `${drawing ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`;
    drawing = true;
  }
  return path;
}

function paddedRange(low: Float64Array, high: Float64Array, level: number | undefined, byRatios: boolean): [number, number] {
  let min = Infinity;
  let max = -Infinity;
  for (const value of low) if (value < min) min = value;
  for (const value of high) if (value > max) max = value;
  if (level !== undefined) {
    min = Math.min(min, level);
    max = Math.max(max, level);
  }
  if (!(max >= min)) return [0, 1];
  if (byRatios) return [min * (min / max) ** 0.06 * 0.98, max * (max / min) ** 0.06 * 1.02];
  const pad = max > min ? 0.06 * (max - min) : Math.abs(max) / 2 || 1;
  return [min - pad, max + pad];
}
