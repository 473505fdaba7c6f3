// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { coloring, mix, parseColor, wordColor } from "./study_colors";
import { kFailed, kInferred } from "./study_data";
import { boxItem, drawFrame, nameWithUnit, Picture, type LegendItem } from "./study_picture";
import type { Axis, StudyState, View } from "./study_state";
import { cssColor } from "./theme";

const kDots = 20_000; // more points are single pixels
const kReach = 14; // pixels: how near to a point a click must be

// Every point at two of its numbers, coloured by the chosen quantity.
export function drawScatter(state: StudyState, width: number, height: number): View {
  const { data, quantity, scatterX, scatterY } = state;
  const colors = coloring(quantity, state.logarithmic);
  const picture = new Picture(width, height);
  const paper = parseColor(cssColor("panel"));
  const failedColor = parseColor(cssColor("event"));
  const noneColor = parseColor(cssColor("neutral"));
  const legend: LegendItem[] = quantity.words.map((word) => boxItem(word, wordColor(quantity, word)));
  const placed = (point: number): boolean => Number.isFinite(scatterX.at(point)) && Number.isFinite(scatterY.at(point));
  const { counts } = data;
  if (counts[kInferred]! > 0) legend.push(boxItem("pale: inferred, not run", mix(noneColor, paper, 0.55)));
  if (counts[kFailed]! > 0 && [scatterX, scatterY].every((axis) => "random" in axis)) legend.push(boxItem("failed", failedColor));
  let shown = 0;
  for (let point = 0; point < data.size; point++) if (placed(point)) shown++;
  const missing = data.size - shown;
  const { area, x, y } = drawFrame(picture, {
    title: `${scatterY.name} over ${scatterX.name}`,
    note: missing > 0 ? `${missing} points have no value and are not shown` : "",
    x: { title: nameWithUnit(scatterX), range: rangeOf(scatterX, data.size) },
    y: { title: nameWithUnit(scatterY), range: rangeOf(scatterY, data.size) },
    legend: [...(quantity.inWords ? [] : [{ mark: "box" as const, color: "none", label: `colour: ${nameWithUnit(quantity)}` }]), ...legend],
    colors: quantity.inWords ? undefined : colors,
    grid: true,
  });

  const density = Math.min(devicePixelRatio, 2);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round((area.right - area.left) * density));
  canvas.height = Math.max(1, Math.round((area.bottom - area.top) * density));
  const context = canvas.getContext("2d")!;
  const colorOf = (point: number): [number, number, number] => {
    const value = quantity.at(point);
    const own = Number.isNaN(value)
      ? data.status[point] === kFailed
        ? failedColor
        : noneColor
      : colors.colorOf(value);
    return data.status[point] === kInferred ? mix(own, paper, 0.55) : own;
  };
  const xAt = (point: number): number => (x.place(scatterX.at(point)) - area.left) * density;
  const yAt = (point: number): number => (y.place(scatterY.at(point)) - area.top) * density;
  if (shown <= kDots) {
    const radius = density * (shown > 3000 ? 1.6 : shown > 500 ? 2.2 : 3);
    context.globalAlpha = shown > 3000 ? 0.75 : 0.9;
    for (let point = 0; point < data.size; point++) {
      if (!placed(point)) continue;
      context.fillStyle = `rgb(${colorOf(point).join(",")})`;
      context.beginPath();
      context.arc(xAt(point), yAt(point), radius, 0, 2 * Math.PI);
      context.fill();
    }
  } else {
    const image = context.createImageData(canvas.width, canvas.height);
    for (let point = 0; point < data.size; point++) {
      if (!placed(point)) continue;
      const px = Math.min(Math.floor(xAt(point)), canvas.width - 1);
      const py = Math.min(Math.floor(yAt(point)), canvas.height - 1);
      const [r, g, b] = colorOf(point);
      const at = 4 * (py * canvas.width + px);
      image.data[at] = r;
      image.data[at + 1] = g;
      image.data[at + 2] = b;
      image.data[at + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }
  picture.raster(canvas, area);

  const place = (point: number): [number, number] | undefined =>
    placed(point) ? [x.place(scatterX.at(point)), y.place(scatterY.at(point))] : undefined;
  return {
    picture,
    pick: (px, py) => {
      let best = -1;
      let distance = kReach * kReach;
      for (let point = 0; point < data.size; point++) {
        const dx = x.place(scatterX.at(point)) - px;
        const dy = y.place(scatterY.at(point)) - py;
        const d = dx * dx + dy * dy;
        if (d < distance) [best, distance] = [point, d];
      }
      return best;
    },
    place,
    step: (point, dx, dy) => Math.min(Math.max(point + dx + dy, 0), data.size - 1),
  };
}

function rangeOf(axis: Axis, size: number): [number, number] {
  let min = Infinity;
  let max = -Infinity;
  for (let point = 0; point < size; point++) {
    const value = axis.at(point);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (!(max >= min) || !Number.isFinite(max - min)) return [0, 1];
  const pad = max > min ? 0.04 * (max - min) : Math.abs(max) / 2 || 1;
  return [min - pad, max + pad];
}
