// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

const kSuperscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

const superscript = (integer: number): string =>
  (integer < 0 ? "⁻" : "") + String(Math.abs(integer)).replace(/\d/g, (digit) => kSuperscripts[Number(digit)]!);

const withMinus = (text: string): string => text.replace("-", "−");

// As a person writes it: four significant digits, powers of ten beyond five places.
export function formatNumber(value: number, digits = 4): string {
  if (value === 0) return "0";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e5 || magnitude < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
    return `${withMinus(mantissa.replace(/\.?0+$/, ""))}×10${superscript(Number(exponent))}`;
  }
  return withMinus(String(Number(value.toPrecision(digits))));
}

// Numbers within a sentence, as the rest of the page writes them: 5.5e-09 -> 5.5×10⁻⁹.
export const formatText = (text: string): string =>
  text.replace(
    /(?<![\w.])(\d+(?:\.\d+)?)e([+-]\d+)\b/g,
    (_, digits: string, power: string) => `${digits}×10${superscript(Number(power))}`,
  );

// N*m/rad^2 -> N·m/rad²; the unit of a pure number is nothing.
export function formatUnit(unit: string): string {
  if (unit === "1") return "";
  return unit.replaceAll("*", "·").replace(/\^(-?\d+)/g, (_, power: string) => superscript(Number(power)));
}

export const withUnit = (value: string, unit: string): string => (formatUnit(unit) ? `${value} ${formatUnit(unit)}` : value);

// Tick labels of an axis: as many decimals as the step between them needs.
export function formatTicks(ticks: readonly number[]): string[] {
  const step = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : Math.abs(ticks[0] ?? 1);
  const largest = Math.max(...ticks.map(Math.abs), step);
  if (largest >= 1e5 || largest < 1e-3) return ticks.map((tick) => formatNumber(tick, 3));
  let decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  if (Math.abs(step - Number(step.toFixed(decimals))) > 1e-6 * step) decimals++; // 0.25
  return ticks.map((tick) => withMinus(tick.toFixed(decimals)));
}

// Decimals with which a time is told, so that a thousandth of the run is visible.
export function timeDecimals(span: number): number {
  return span > 0 ? Math.min(Math.max(3 - Math.floor(Math.log10(span)), 0), 9) : 3;
}

export const formatTime = (time: number, decimals: number): string => withMinus(time.toFixed(decimals));

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

// 1 234 567
export const formatCount = (count: number): string => count.toLocaleString("en").replaceAll(",", "\u202f");
