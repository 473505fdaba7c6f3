// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import type { Quantity } from "./study_data";
import { formatNumber } from "./format";
import { roundTicks, type Tick } from "./study_scale";
import { cssColor, paletteColor } from "./theme";

export type Rgb = [number, number, number];

// Colours of numbers: one after the other lighter, so that they are told apart in grey as well.
const kRising = ["#2a1a5e", "#3b4a94", "#2f7796", "#2f9e80", "#8abd4e", "#f2dc55"];
// Of margins: what fails, what just holds, what holds by far.
const kAboutOne = ["#8f1f28", "#d9604e", "#f3ebdf", "#5b9bd0", "#1d4f93"];

export const parseColor = (text: string): Rgb => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)) as Rgb;

export const mix = (a: Rgb, b: Rgb, share: number): Rgb => a.map((x, i) => Math.round(x + share * (b[i]! - x))) as Rgb;

export const colorText = (color: Rgb): string => `rgb(${color.join(",")})`;

const kSteps = 256;

function table(anchors: string[]): Rgb[] {
  const colors = anchors.map(parseColor);
  return Array.from({ length: kSteps }, (_, k) => {
    const place = (k / (kSteps - 1)) * (colors.length - 1);
    const below = Math.min(Math.floor(place), colors.length - 2);
    return mix(colors[below]!, colors[below + 1]!, place - below);
  });
}

const lookUp =
  (colors: Rgb[]) =>
  (share: number): Rgb =>
    colors[Math.round(share * (kSteps - 1))]!;

// How a quantity is coloured: numbers by a scale with ticks, words one colour each.
export interface Coloring {
  colorOf: (value: number) => Rgb; // of Quantity.at
  ticks: (most: number) => { share: number; label: string }[]; // along the scale, from 0 to 1; none for words
  colorAt: (share: number) => Rgb;
}

// Words about stability are coloured as what they say.
const kStabilities: Record<string, string> = {
  stable: "good",
  "asymptotically stable": "good",
  "gyroscopically stable": "doubt",
  marginal: "doubt",
  unstable: "bad",
};

export const wordColor = (quantity: Quantity, word: string): Rgb => {
  if (quantity.words.every((each) => each in kStabilities)) return parseColor(cssColor(kStabilities[word]!));
  if (!quantity.isVerdict) return parseColor(paletteColor(quantity.words.indexOf(word)));
  const names: Record<string, string> = { holds: "good", violated: "bad", "not unique": "doubt", "not checked": "neutral" };
  const name = names[word];
  if (!name) return mix(parseColor(cssColor("bad")), [0, 0, 0], 0.45);
  const color = parseColor(cssColor(name));
  // Who does not tell red from green tells light from strong.
  return word === "holds" ? mix(color, parseColor(cssColor("panel")), 0.4) : color;
};

export function coloring(quantity: Quantity, logarithmic: boolean): Coloring {
  if (quantity.inWords) {
    const colors = quantity.words.map((word) => wordColor(quantity, word));
    return { colorOf: (value) => colors[value]!, ticks: () => [], colorAt: () => [0, 0, 0] };
  }
  const { least = 0, largest = 1 } = quantity.statistics.spread ?? {};
  if (quantity.isMargin) {
    // From 0 over 1 in the middle to infinity: m / 2 below 1, 1 - 1 / 2m above.
    const colorAt = lookUp(table(kAboutOne));
    const share = (m: number): number => (m <= 1 ? Math.max(m, 0) / 2 : 1 - 1 / (2 * m));
    const wished = [0, 0.5, 1, 2, 4, Infinity];
    return {
      colorAt,
      colorOf: (value) => colorAt(share(value)),
      ticks: () => wished.map((m) => ({ share: share(m), label: m === Infinity ? "∞" : formatNumber(m, 2) })),
    };
  }
  const colorAt = lookUp(table(kRising));
  const bend = logarithmic && least > 0 ? Math.log : (x: number): number => x;
  const low = bend(least);
  const high = bend(largest);
  const share = (value: number): number => (high > low ? Math.min(Math.max((bend(value) - low) / (high - low), 0), 1) : 0.5);
  return {
    colorAt,
    colorOf: (value) => colorAt(share(value)),
    ticks: (most) => scaleTicks(least, largest, most, logarithmic && least > 0).map(({ value, label }) => ({ share: share(value), label })),
  };
}

function scaleTicks(least: number, largest: number, most: number, logarithmic: boolean): Tick[] {
  const values = logarithmic
    ? Array.from({ length: most }, (_, k) => least * (largest / least) ** (k / (most - 1))).map((v) => Number(v.toPrecision(2)))
    : roundTicks(least, largest, most);
  return values.filter((v) => v >= least && v <= largest).map((value) => ({ value, label: formatNumber(value, 4) }));
}
