// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { element } from "./dom";
import { capitalized, formatNumber, formatText, withUnit } from "./format";
import { colorText, wordColor } from "./study_colors";
import { kFailed, kInferred, type Quantity, type StudyData } from "./study_data";
import type { EstimateDocument, SensitivityMethod } from "./study_document";
import type { StudyState } from "./study_state";

const grouped = (n: number): string => n.toLocaleString("en").replaceAll(",", " ");
const percent = (share: number): string => `${formatNumber(100 * share, 3)} %`;

// A study that has not ended says so first.
export function unfinished({ document: { points } }: StudyData): HTMLElement | undefined {
  if (points.planned <= points.total) return undefined;
  return element(
    "section",
    { class: "end interrupted", role: "status" },
    element("h2", {}, `${grouped(points.total)} of ${grouped(points.planned)} points are known`),
    element("p", {}, "The study is not finished; continue it with --resume. Statistics are of the points computed so far."),
  );
}

// For every verdict: how many points hold. The words of a sample with what they tell of all.
export function verdictShares(state: StudyState): HTMLElement {
  const { data } = state;
  const [done, failed, inferred] = data.counts as [number, number, number];
  const counts = [
    `${grouped(done + failed + inferred)} points`,
    ...(inferred > 0 ? [`${grouped(inferred)} inferred, not run`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
  ];
  const inWords = data.quantities.filter((quantity) => quantity.inWords);
  return element(
    "section",
    { class: "shares" },
    element("header", {}, element("h2", {}, "Answers"), element("span", { class: "note" }, counts.join(" · "))),
    ...inWords.map((quantity) => shareCard(quantity, state)),
  );
}

function shareCard(quantity: Quantity, state: StudyState): HTMLElement {
  const fractions = Object.entries(quantity.statistics.fractions ?? {});
  const bar = element("div", { class: "shares-bar", "aria-hidden": "true" });
  const rows = fractions.map(([word, { count, value, interval }]) => {
    const part = element("i", {});
    part.style.flexGrow = String(value);
    part.style.background = colorText(wordColor(quantity, word));
    if (count > 0) bar.append(part);
    const swatch = element("i", {});
    swatch.style.background = part.style.background;
    const told = interval ? `${percent(value)} (95 %: ${formatNumber(100 * interval[0], 3)} to ${percent(interval[1])})` : percent(value);
    return element("li", {}, swatch, element("span", {}, word), element("output", {}, told), element("span", { class: "note" }, grouped(count)));
  });
  return element(
    "article",
    { class: "card" },
    element("header", {}, element("button", { type: "button", class: "link", onclick: () => state.choose(quantity) }, quantity.name)),
    bar,
    element("ul", {}, ...rows),
  );
}

// The chosen point: its numbers, why it failed, and what to type to get it again.
export class PointCard {
  readonly node = element("section", { class: "point", "aria-live": "polite" });

  constructor(private readonly state: StudyState) {
    state.onSelect(() => this.show());
    this.show();
  }

  private show(): void {
    const { data, selected } = this.state;
    if (selected < 0) {
      this.node.replaceChildren(
        element("header", {}, element("h2", {}, "Point")),
        element("p", { class: "note" }, "Click a point of the picture, or go there with the keyboard and use the arrow keys."),
      );
      return;
    }
    const status = data.status[selected]!;
    const failure = data.failure(selected);
    const row = (name: string, value: string): HTMLElement => element("div", {}, element("dt", {}, name), element("dd", {}, value));
    const command = data.command(selected);
    const copied = element("span", { class: "note", role: "status" });
    const copy = async (): Promise<void> => {
      await navigator.clipboard.writeText(command);
      copied.textContent = "copied";
      setTimeout(() => (copied.textContent = ""), 1500);
    };
    this.node.replaceChildren(
      element(
        "header",
        {},
        element("h2", {}, `Point ${grouped(data.numberOf(selected))}`),
        element("span", { class: "note" }, status === kInferred ? "inferred from its neighbours, not run" : status === kFailed ? "failed" : ""),
      ),
      ...(failure
        ? [element("p", { class: "failure" }, element("code", {}, failure.code), ` ${formatText(failure.message || "(its message is in the store)")}`)]
        : []),
      element(
        "dl",
        {},
        ...data.parameters.map((parameter) => row(parameter.name, withUnit(formatNumber(parameter.at(selected), 6), parameter.unit))),
        ...data.quantities.map((q) =>
          row(q.name, q.has(selected) ? (q.inWords ? q.wordAt(selected)! : withUnit(formatNumber(q.at(selected), 6), q.unit)) : "none"),
        ),
      ),
      element(
        "div",
        { class: "command" },
        element("code", { tabindex: "0", "aria-label": "Command of this point" }, command),
        element("button", { type: "button", title: "Copy the command", onclick: () => void copy() }, "Copy"),
        copied,
      ),
    );
  }
}

// How the chosen quantity is spread.
export class SpreadCard {
  readonly node = element("section", { class: "spread" });

  constructor(private readonly state: StudyState) {
    state.subscribe(() => this.show());
    this.show();
  }

  private show(): void {
    const { quantity, data } = this.state;
    const { spread } = quantity.statistics;
    this.node.hidden = !spread || spread.count === 0;
    if (!spread || spread.count === 0) return;
    // As many digits as tell the values apart.
    const largest = Math.max(Math.abs(spread.least!), Math.abs(spread.largest!));
    const places = spread.deviation! > 0 ? Math.min(Math.max(3 + Math.ceil(Math.log10(largest / spread.deviation!)), 4), 12) : 4;
    const told = (value: number): string => withUnit(formatNumber(value, places), quantity.unit);
    const facts: [string, string][] = [
      ["mean", told(spread.mean!)],
      ["standard deviation", withUnit(formatNumber(spread.deviation!, 4), quantity.unit)],
      ["least", told(spread.least!)],
      ["largest", told(spread.largest!)],
    ];
    const quantiles = data.isRandom ? (spread.quantiles ?? []) : [];
    this.node.replaceChildren(
      element(
        "header",
        {},
        element("h2", {}, `Spread of ${quantity.name}`),
        element("span", { class: "note" }, `${grouped(spread.count)} values${data.isRandom ? "" : ", of the grid"}`),
      ),
      element("dl", {}, ...facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))),
    );
    if (quantiles.length === 0) return;
    const sampled = quantiles.some(({ interval }) => interval);
    this.node.append(
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...["quantile", "value", ...(sampled ? ["95 % interval"] : [])].map((text) => element("th", { scope: "col" }, text)))),
        element(
          "tbody",
          {},
          ...quantiles.map(({ p, value, interval }) =>
            element(
              "tr",
              {},
              element("th", { scope: "row" }, percent(p)),
              element("td", {}, formatNumber(value, places)),
              ...(interval ? [element("td", {}, `${formatNumber(interval[0], places)} to ${formatNumber(interval[1], places)}`)] : []),
            ),
          ),
        ),
      ),
    );
  }
}

const kMethods: Record<SensitivityMethod, string> = {
  grid: "Sobol indices, exact for equally likely levels of the grid",
  saltelli: "Sobol indices ± standard error, from Saltelli's blocks of the sample",
  binned: "first-order Sobol index ± standard error, from means of bins; this sample does not give total indices",
  ranks: "rank correlation (Spearman) ± standard error; too few points for Sobol indices",
  none: "",
};

// Which parameter matters for the chosen quantity, the one that matters most first.
export class InfluenceCard {
  readonly node = element("section", { class: "influence" });

  constructor(private readonly state: StudyState) {
    state.subscribe(() => this.show());
    this.show();
  }

  private show(): void {
    const { quantity } = this.state;
    const { method, why, of, parameters = {} } = quantity.statistics.sensitivity;
    const header = element("header", {}, element("h2", {}, "Which parameter matters"));
    header.append(element("span", { class: "note" }, `for ${quantity.name}${of ? ` (${of})` : ""}`));
    if (method === "none") {
      this.node.replaceChildren(header, element("p", { class: "note" }, `Not available: ${why ?? "there is no sample"}.`));
      return;
    }
    const exact = method === "grid";
    const rows = Object.entries(parameters)
      .map(([name, influence]) => ({
        name,
        influence,
        strength: influence.total?.value ?? influence.first?.value ?? Math.abs(influence.rank_correlation?.value ?? 0),
      }))
      .sort((a, b) => b.strength - a.strength);
    this.node.replaceChildren(
      header,
      element("p", { class: "note" }, kMethods[method]),
      ...rows.map(({ name, influence: { first, total, rank_correlation: rank } }) =>
        element(
          "div",
          { class: "influence-row" },
          element("b", {}, name),
          ...(first ? [indexBar("first", first, exact, false)] : []),
          ...(total ? [indexBar("total", total, exact, false)] : []),
          ...(rank ? [first || total ? rankNote(rank) : indexBar("rank", rank, false, true)] : []),
        ),
      ),
    );
  }
}

const digits = (value: number, decimals: number): string =>
  value.toFixed(decimals).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");

const rankNote = (rank: EstimateDocument): HTMLElement =>
  element("span", { class: "note" }, `rank correlation ${digits(rank.value, 2)} ± ${digits(rank.error, 2)}`);

// A bar from 0 to 1 (or about 0, from -1 to 1) with the standard error as a whisker.
function indexBar(label: string, { value, error }: EstimateDocument, exact: boolean, signed: boolean): HTMLElement {
  const place = (v: number): number => 100 * Math.min(Math.max(signed ? (v + 1) / 2 : v, 0), 1);
  const bar = element("div", { class: "index-bar", "aria-hidden": "true" }, element("b", {}), element("i", {}));
  const [fill, whisker] = [...bar.children] as [HTMLElement, HTMLElement];
  const zero = signed ? 50 : 0;
  fill.style.left = `${Math.min(zero, place(value))}%`;
  fill.style.width = `${Math.abs(place(value) - zero)}%`;
  whisker.style.left = `${place(value - error)}%`;
  whisker.style.width = `${place(value + error) - place(value - error)}%`;
  whisker.hidden = exact;
  return element(
    "div",
    { class: "index" },
    element("span", {}, label),
    bar,
    element("output", {}, exact ? digits(value, 3) : `${digits(value, 3)} ± ${digits(error, 3)}`),
  );
}

export function studyFacts(data: StudyData): HTMLElement {
  const { run, facts } = data.document;
  const rows: [string, string][] = [
    ["Question", [run.command, run.options].filter(Boolean).join(" ")],  // as it is typed
    ["Model", run.model],
    ...data.parameters.map((parameter): [string, string] => [parameter.name, formatText(parameter.how)]),
    ...facts.map(({ name, value }): [string, string] => [capitalized(name), formatText(value)]),
  ];
  return element(
    "section",
    { class: "facts" },
    element("h2", {}, "Study"),
    element("dl", {}, ...rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))),
  );
}
