// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { formatTicks } from "./format";

export interface ChartLine {
  name: string;
  color: string;
  dash: readonly number[];
  x: ArrayLike<number | null>;
  y: ArrayLike<number | null>;
}

export interface ChartAxis {
  label: string;
  min: number;
  max: number;
  logarithmic?: boolean;
}

const kWidth = 720;
const kHeight = 400;
const kLeft = 84;
const kRight = 20;
const kTop = 16;
const kAxis = 46; // below the curves
const kLegendRow = 20;
const kLegendColumn = 200;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);

// Round numbers in a range, about `count` of them; powers of ten on a logarithmic axis.
export function ticksOf({ min, max, logarithmic }: ChartAxis, count: number): number[] {
  if (logarithmic) {
    const [low, high] = [Math.ceil(Math.log10(min) - 1e-9), Math.floor(Math.log10(max) + 1e-9)];
    const step = Math.max(1, Math.ceil((high - low) / count));
    return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => 10 ** (low + step * i));
  }
  const raw = (max - min) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (raw / power < 1.5 ? 1 : raw / power < 3.5 ? 2 : raw / power < 7.5 ? 5 : 10);
  const ticks: number[] = [];
  for (let i = Math.ceil(min / step - 1e-9); i * step <= max + 1e-9 * step; i++) ticks.push(i * step || 0);
  return ticks;
}

// Curves as a drawing that a paper can take: white, with axes, units and a legend.
export function chartSvg(title: string, x: ChartAxis, y: ChartAxis, lines: readonly ChartLine[]): string {
  const columns = Math.max(1, Math.floor((kWidth - kLeft - kRight) / kLegendColumn));
  const legend = Math.ceil(lines.length / columns) * kLegendRow;
  const bottom = kHeight - kAxis;
  const placed = ({ min, max, logarithmic }: ChartAxis, from: number, to: number) => {
    const [low, high] = logarithmic ? [Math.log10(min), Math.log10(max)] : [min, max];
    return (value: number): number => from + (((logarithmic ? Math.log10(value) : value) - low) / (high - low)) * (to - from);
  };
  const [px, py] = [placed(x, kLeft, kWidth - kRight), placed(y, bottom, kTop)];
  const parts: string[] = [];
  const text = (at: [number, number], anchor: string, words: string, more = ""): void => {
    parts.push(`<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}"${more}>${escaped(words)}</text>`);
  };
  const xTicks = ticksOf(x, 8);
  const yTicks = ticksOf(y, 6);
  formatTicks(xTicks).forEach((label, i) => {
    const at = px(xTicks[i]!);
    parts.push(`<path d="M${at.toFixed(1)} ${kTop}V${bottom}" stroke="#e3e6ea"/>`);
    text([at, bottom + 18], "middle", label);
  });
  formatTicks(yTicks).forEach((label, i) => {
    const at = py(yTicks[i]!);
    parts.push(`<path d="M${kLeft} ${at.toFixed(1)}H${kWidth - kRight}" stroke="#e3e6ea"/>`);
    text([kLeft - 8, at + 4], "end", label);
  });
  text([(kLeft + kWidth - kRight) / 2, kHeight - 8], "middle", x.label);
  const middle = (kTop + bottom) / 2;
  text([18, middle], "middle", y.label, ` transform="rotate(-90 18 ${middle})"`);
  parts.push(`<clipPath id="inside"><path d="M${kLeft} ${kTop}H${kWidth - kRight}V${bottom}H${kLeft}z"/></clipPath>`);
  lines.forEach((line, k) => {
    let path = "";
    let pen = "M";
    for (let i = 0; i < line.x.length; i++) {
      const [a, b] = [line.x[i], line.y[i]];
      if (a == null || b == null || (y.logarithmic && b <= 0) || (x.logarithmic && a <= 0)) {
        pen = "M";
        continue;
      }
      path += `${pen}${px(a).toFixed(1)} ${py(b).toFixed(1)}`;
      pen = "L";
    }
    const dash = line.dash.length > 0 ? ` stroke-dasharray="${line.dash.join(" ")}"` : "";
    const stroke = `stroke="${line.color}" stroke-width="1.5"${dash}`;
    parts.push(`<path d="${path}" clip-path="url(#inside)" stroke-linejoin="round" ${stroke}/>`);
    const at: [number, number] = [kLeft + (k % columns) * kLegendColumn, kHeight + 14 + Math.floor(k / columns) * kLegendRow];
    parts.push(`<path d="M${at[0]} ${at[1] - 4}h18" ${stroke}/>`);
    text([at[0] + 24, at[1]], "start", line.name);
  });
  const height = kHeight + legend + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${kWidth} ${height}" width="${kWidth}" height="${height}" fill="none">
<title>${escaped(title)}</title>
<rect width="${kWidth}" height="${height}" fill="white"/>
<path d="M${kLeft} ${kTop}V${bottom}H${kWidth - kRight}" stroke="#7b8591"/>
<g font-family="system-ui, sans-serif" font-size="12" fill="none">${parts.join("\n").replaceAll("<text", '<text fill="#333"')}</g>
</svg>
`;
}
