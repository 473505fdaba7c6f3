// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { formatNumber, formatTicks } from "./format";

export interface Tick {
  value: number;
  label: string;
}

// Values to places on the paper; a logarithmic one for values that grow by ratios.
export class Scale {
  private readonly a: number;
  private readonly b: number;

  constructor(
    readonly min: number,
    readonly max: number,
    readonly from: number, // pixels
    readonly to: number,
    readonly logarithmic = false,
  ) {
    const low = this.bend(min);
    const high = this.bend(max);
    this.a = high > low ? (to - from) / (high - low) : 0;
    this.b = high > low ? from - this.a * low : (from + to) / 2;
  }

  place(value: number): number {
    return this.a * this.bend(value) + this.b;
  }

  value(place: number): number {
    if (this.a === 0) return this.min;
    const bent = (place - this.b) / this.a;
    return this.logarithmic ? Math.exp(bent) : bent;
  }

  private bend(value: number): number {
    return this.logarithmic ? Math.log(value) : value;
  }
}

// 1, 2 or 5 times a power of ten, at most `most` of them.
export function roundTicks(min: number, max: number, most: number): number[] {
  if (!(max > min)) return [min];
  const rough = (max - min) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * (1 - 1e-9))!;
  const ticks: number[] = [];
  for (let k = Math.ceil(min / step - 1e-9); k * step <= max + 1e-9 * step; k++) ticks.push(k === 0 ? 0 : k * step);
  return ticks;
}

function logarithmicTicks(min: number, max: number, most: number): number[] {
  const low = Math.floor(Math.log10(min));
  const high = Math.ceil(Math.log10(max));
  for (const factors of [[1, 2, 5], [1, 3], [1]]) {
    const ticks: number[] = [];
    for (let power = low; power <= high; power++) for (const factor of factors) ticks.push(factor * 10 ** power);
    const inside = ticks.filter((tick) => tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9));
    if (inside.length <= most && inside.length > 1) return inside;
    if (factors.length === 1) {
      const stride = Math.ceil(inside.length / Math.max(1, most));
      return inside.filter((_, k) => k % stride === 0);
    }
  }
  return [];
}

// Ticks whose labels do not touch: as many as fit, `spaceOf` telling what a label takes along the axis. The levels of a short list
// are ticks themselves.
export function axisTicks(scale: Scale, levels: Float64Array | undefined, spaceOf: (label: string) => number): Tick[] {
  const length = Math.abs(scale.to - scale.from);
  const label = (values: number[]): Tick[] => {
    const labels = scale.logarithmic ? values.map((value) => formatNumber(value, 3)) : labelsOf(values);
    return values.map((value, k) => ({ value, label: labels[k]! }));
  };
  const fits = (ticks: Tick[]): boolean => {
    const sorted = ticks.map((tick) => ({ at: scale.place(tick.value), half: spaceOf(tick.label) / 2 })).sort((p, q) => p.at - q.at);
    return sorted.every((tick, k) => k === 0 || tick.at - tick.half >= sorted[k - 1]!.at + sorted[k - 1]!.half);
  };
  if (levels && levels.length <= 12) {
    const ticks = [...levels].map((value) => ({ value, label: formatNumber(value, 4) }));
    if (fits(ticks)) return ticks;
  }
  if (scale.min === scale.max) return label([scale.min]);
  for (let most = Math.max(2, Math.floor(length / 34)); most >= 1; most--) {
    const ticks = label(scale.logarithmic ? logarithmicTicks(scale.min, scale.max, most) : roundTicks(scale.min, scale.max, most));
    if (ticks.length > 0 && fits(ticks)) return ticks;
  }
  return label([scale.min]);
}

// Ticks far from zero and near each other need all their digits.
function labelsOf(values: number[]): string[] {
  const labels = formatTicks(values);
  if (new Set(labels).size === values.length) return labels;
  return values.map((value) => String(Number(value.toPrecision(12))).replace("-", "−"));
}

// Do levels grow by a constant ratio rather than by a constant difference?
export function growsByRatios(levels: Float64Array): boolean {
  if (levels.length < 4 || levels[0]! <= 0) return false;
  const spreadOf = (steps: number[]): number => Math.max(...steps) / Math.min(...steps);
  const at = (k: number): number => levels[Math.round((k * (levels.length - 1)) / 3)]!;
  const ratios = [1, 2, 3].map((k) => Math.log(at(k) / at(k - 1)));
  const differences = [1, 2, 3].map((k) => at(k) - at(k - 1));
  return spreadOf(ratios) < 1.2 && spreadOf(differences) > 1.5;
}

// The borders of the cells about levels, halfway between them on the axis.
export function cellBorders(levels: Float64Array, logarithmic: boolean): Float64Array {
  const n = levels.length;
  const bend = (value: number): number => (logarithmic ? Math.log(value) : value);
  const straight = (value: number): number => (logarithmic ? Math.exp(value) : value);
  const borders = new Float64Array(n + 1);
  if (n === 1) {
    const half = Math.abs(levels[0]!) / 2 || 0.5;
    return Float64Array.of(levels[0]! - half, levels[0]! + half);
  }
  for (let k = 1; k < n; k++) borders[k] = straight((bend(levels[k - 1]!) + bend(levels[k]!)) / 2);
  borders[0] = straight(1.5 * bend(levels[0]!) - 0.5 * bend(levels[1]!));
  borders[n] = straight(1.5 * bend(levels[n - 1]!) - 0.5 * bend(levels[n - 2]!));
  return borders;
}
