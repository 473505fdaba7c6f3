// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { lineColor } from "./bodies";
import type { Clock } from "./clock";
import type { Recording, Series } from "./recording";
import { kPaletteSize, paletteColor } from "./theme";

// A quantity over the run; with a second run, over both.
export interface Curve {
  series: Series;
  beside?: Series; // the same of the second run
  color: string;
  dash: readonly number[]; // beyond the colours of the palette, strokes tell curves apart
  shown: boolean;
}

export interface Range {
  min: number;
  max: number;
}

// What the plots of a page have in common.
export interface PlotContext {
  recording: Recording;
  beside: Recording | undefined;
  clock: Clock;
  times: Float64Array; // of both runs
  range: () => Range; // of time
  zoom: (range: Range | undefined) => void; // undefined: the whole run
}

const kDashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];
export const kBesideDash: readonly number[] = [4, 4];

// Times of both runs, in order, each once.
export function unite(a: Float64Array, b: Float64Array | undefined): Float64Array {
  if (!b) return a;
  return Float64Array.from(new Set([...a, ...b])).sort();
}

// The values of a curve at the times of all plots; none where its run does not reach.
export function valuesAt(times: Float64Array, recording: Recording, series: Series): ArrayLike<number | null> {
  if (times === recording.times) return series.values;
  return Array.from(times, (t) => (t < recording.start || t > recording.end ? null : series.at(recording.locate(t))));
}

// A body's only curve in a plot has the body's colour, if these differ; else colours just tell the curves apart.
export function colored(recording: Recording, series: readonly Series[], beside: ReadonlyMap<string, Series>): Curve[] {
  const owners = new Set(series.map(({ body }) => body));
  const colors = series.map(({ body }, index) => (body >= 0 ? lineColor(recording.data, body) : paletteColor(index)));
  const telling = owners.size === series.length && new Set(colors).size === colors.length;
  return series.map((one, index) => {
    const twin = beside.get(curveKey(one));
    return {
      series: one,
      ...(twin && { beside: twin }),
      color: telling ? colors[index]! : paletteColor(index),
      dash: telling ? [] : kDashes[Math.floor(index / kPaletteSize) % kDashes.length]!,
      shown: false,
    };
  });
}

// Curves of two runs that mean the same.
export const curveKey = ({ group, name, unit }: Series): string => `${group}\n${name}\n${unit}`;
