// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { formatNumber } from "./format";
import { colorText, wordColor } from "./study_colors";
import type { Quantity, StudyData } from "./study_data";
import { drawFrame, fitted, nameWithUnit, Picture, textWidth, type LegendItem } from "./study_picture";
import { roundTicks } from "./study_scale";
import type { StudyState, View } from "./study_state";
import { cssColor, paletteColor } from "./theme";

const kShownQuantiles = [0.05, 0.5, 0.95];
const kMostBins = 60;

export function drawHistogram(state: StudyState, width: number, height: number): View {
  return state.quantity.inWords ? drawFractions(state, width, height) : drawNumbers(state, width, height);
}

const nowhere = { pick: (): number => -1, place: (): undefined => undefined, step: (): number => -1 };

interface Bins {
  edges: number[];
  counts: Uint32Array; // [bin][word]
  words: number; // columns of a bin; the last: without a word
  beyond: number; // values outside
  total: number;
}

// Bins with round borders. A tail that would press all else into a few bins is left out, and counted.
function count(quantity: Quantity, verdict: Quantity | undefined, data: StudyData): Bins {
  const spread = quantity.statistics.spread!;
  let low = spread.least ?? 0;
  let high = spread.largest ?? 1;
  const at = (p: number): number => spread.quantiles?.find((q) => q.p === p)?.value ?? 0;
  const body = at(0.99) - at(0.01);
  if (body > 0 && high - low > 4 * body) {
    low = Math.max(low, at(0.01) - 0.2 * body);
    high = Math.min(high, at(0.99) + 0.2 * body);
  }
  const wished = Math.min(kMostBins, Math.max(8, Math.round(2 * Math.cbrt(spread.count))));
  const ticks = high > low ? roundTicks(low, high, wished) : [low, low + 1];
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : high - low || 1;
  const start = high > low ? Math.floor(low / step + 1e-9) * step : low - step / 2;
  const bins = Math.max(1, Math.ceil((high - start) / step - 1e-9) + (high === low ? 1 : 0));
  const edges = Array.from({ length: bins + 1 }, (_, k) => start + k * step);
  const words = (verdict?.words.length ?? 0) + 1;
  const counts = new Uint32Array(bins * words);
  let beyond = 0;
  let total = 0;
  for (let point = 0; point < data.size; point++) {
    const value = quantity.at(point);
    if (!Number.isFinite(value)) continue;
    total++;
    const bin = value === edges[bins] ? bins - 1 : Math.floor((value - start) / step);
    if (bin < 0 || bin >= bins) {
      beyond++;
      continue;
    }
    const word = verdict && verdict.has(point) ? verdict.at(point) : words - 1;
    counts[bin * words + word]!++;
  }
  return { edges, counts, words, beyond, total };
}

function drawNumbers(state: StudyState, width: number, height: number): View {
  const { data, quantity } = state;
  const verdict = data.partner(quantity) ?? data.quantities.find((q) => q.isVerdict);
  const bins = count(quantity, verdict, data);
  const { edges, counts, words } = bins;
  const heights = Array.from({ length: edges.length - 1 }, (_, k) =>
    counts.slice(k * words, (k + 1) * words).reduce((sum, n) => sum + n, 0),
  );
  const colors = [...(verdict?.words.map((word) => colorText(wordColor(verdict, word))) ?? []), paletteColor(0)];
  const picture = new Picture(width, height);
  const legend: LegendItem[] = colors.flatMap((color, word) =>
    heights.some((_, bin) => counts[bin * words + word]! > 0) ? [{ mark: "box", color, label: verdict?.words[word] ?? "points" }] : [],
  );
  if (legend.length === 1 && legend[0]!.label === "points") legend.pop();
  const quantiles = (quantity.statistics.spread?.quantiles ?? []).filter(({ p }) => kShownQuantiles.includes(p));
  if (quantiles.length > 0) legend.push({ mark: "dashes", color: picture.ink, label: "quantiles" });
  const notes = [
    `${bins.total.toLocaleString("en").replaceAll(",", " ")} values`,
    ...(bins.beyond > 0 ? [`${bins.beyond} far out not shown`] : []),
  ];
  const margin = quantity.isMargin && edges[0]! < 1 && edges[edges.length - 1]! > 1;
  if (margin) legend.push({ mark: "line", color: picture.ink, label: `${quantity.name} = 1` });
  const { area, x, y } = drawFrame(picture, {
    title: nameWithUnit(quantity),
    note: notes.join(" · "),
    x: { title: nameWithUnit(quantity), range: [edges[0]!, edges[edges.length - 1]!] },
    y: { title: "points", range: [0, 1.14 * Math.max(1, ...heights)] },
    legend,
    grid: true,
  });
  heights.forEach((_, bin) => {
    let below = 0;
    const left = x.place(edges[bin]!);
    const wide = x.place(edges[bin + 1]!) - left;
    for (let word = 0; word < words; word++) {
      const n = counts[bin * words + word]!;
      if (n === 0) continue;
      const top = y.place(below + n);
      picture.shape("rect", { x: left + 0.4, y: top, width: Math.max(wide - 0.8, 0.5), height: y.place(below) - top, fill: colors[word]!, class: "study-bar" });
      below += n;
    }
  });
  if (margin) picture.line(x.place(1), area.top, x.place(1), area.bottom, { stroke: picture.ink, "stroke-width": 1.6 });
  // Labels side by side, else on a second row.
  let free = [-Infinity, -Infinity];
  for (const { p, value } of quantiles) {
    const at = x.place(value);
    if (at < area.left || at > area.right) continue;
    picture.line(at, area.top, at, area.bottom, { stroke: picture.ink, "stroke-width": 1.1, "stroke-dasharray": "4 3" });
    const label = `${formatNumber(100 * p, 3)} %: ${formatNumber(value, 4)}`;
    const wide = textWidth(label);
    const left = at + 4 + wide <= area.right ? at + 4 : at - 4 - wide;
    const row = free.findIndex((taken) => left > taken + 6);
    if (row < 0) continue;
    free = free.map((taken, k) => (k === row ? left + wide : taken));
    picture.shape("rect", { x: left - 2, y: area.top + 3 + 17 * row, width: wide + 4, height: 15, fill: picture.paper, "fill-opacity": 0.85 });
    picture.text(left, area.top + 15 + 17 * row, label);
  }
  return {
    picture,
    ...nowhere,
    tip: (px, py) => {
      if (px < area.left || px > area.right || py < area.top || py > area.bottom) return [];
      const bin = edges.findIndex((edge, k) => k + 1 < edges.length && px >= x.place(edge) && px < x.place(edges[k + 1]!));
      if (bin < 0) return [];
      const share = (100 * heights[bin]!) / Math.max(1, bins.total);
      return [`${formatNumber(edges[bin]!, 6)} to ${formatNumber(edges[bin + 1]!, 6)}`, `${heights[bin]} points, ${formatNumber(share, 3)} %`];
    },
  };
}

// Words: how many points have each, with the interval where the points are a sample.
function drawFractions(state: StudyState, width: number, height: number): View {
  const { quantity } = state;
  const fractions = Object.entries(quantity.statistics.fractions ?? {});
  const picture = new Picture(width, height);
  const edge = 14;
  picture.text(edge, 24, fitted(quantity.name, width - 2 * edge, 14, 600), { "font-size": 14, "font-weight": 600 });
  const sampled = fractions.some(([, { interval }]) => interval);
  const of = fractions[0]?.[1].of ?? 0;
  picture.text(edge, 44, fitted(`of ${of.toLocaleString("en").replaceAll(",", " ")} points that have it${sampled ? "; whiskers: 95 % (Wilson)" : ""}`, width - 2 * edge), {
    fill: picture.muted,
  });
  const row = Math.min(64, (height - 70) / Math.max(1, fractions.length));
  fractions.forEach(([word, { count: n, value, interval }], k) => {
    const top = 66 + k * row;
    const full = width - 2 * edge;
    const told = interval
      ? `${formatNumber(100 * value, 3)} % (${formatNumber(100 * interval[0], 3)} to ${formatNumber(100 * interval[1], 3)} %), ${n}`
      : `${formatNumber(100 * value, 3)} %, ${n}`;
    picture.text(edge, top + 12, fitted(word, full - textWidth(told) - 12), {});
    picture.text(width - edge, top + 12, told, { "text-anchor": "end", fill: picture.muted });
    picture.shape("rect", { x: edge, y: top + 19, width: full, height: 14, rx: 3, fill: cssColor("hover") });
    picture.shape("rect", { x: edge, y: top + 19, width: Math.max(full * value, n > 0 ? 1 : 0), height: 14, rx: 3, fill: colorText(wordColor(quantity, word)), class: "study-bar" });
    if (interval) {
      const [low, high] = interval.map((p) => edge + full * p) as [number, number];
      picture.shape("path", { d: `M${low} ${top + 26}H${high}M${low} ${top + 21}v10M${high} ${top + 21}v10`, stroke: picture.ink, "stroke-width": 1.4, fill: "none" });
    }
  });
  return { picture, ...nowhere };
}
