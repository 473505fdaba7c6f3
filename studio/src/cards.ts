// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import type { Clock } from "./clock";
import type { ReportDocument, VerdictDocument } from "./document";
import { element } from "./dom";
import { capitalized, formatCount, formatNumber, formatText, formatTime, timeDecimals } from "./format";
import { kByGravity, type Holds } from "./words";

const kSigns: Record<Holds, string> = { holds: "✓", violated: "✕", "not unique": "≈", impossible: "∅", "not checked": "–" };
const kHeld = "held until it failed";
// What is said of the moment from which on it is so.
export const kSince: Record<Holds, string> = {
  holds: "since",
  violated: "first violated at",
  "not unique": "not unique from",
  impossible: "impossible from",
  "not checked": "not checked from",
};

// What a run that did not reach its end must say first: how it ended, when, and why.
export function endBanner(data: ReportDocument): HTMLElement | undefined {
  const { state, reason, at, asked } = data.end;
  if (state === "complete") return undefined;
  const words = { "stopped at event": "Stopped at an event", interrupted: "Interrupted", failed: "Failed" }[state];
  return element(
    "section",
    { class: `end ${state.replaceAll(" ", "-")}`, role: state === "failed" ? "alert" : "status" },
    element("h2", {}, `${words} at t = ${formatNumber(at, 6)} s`),
    element("p", {}, `The run was asked to go to t = ${formatNumber(asked, 6)} s; what is shown ends before.`),
    ...(reason ? [element("p", {}, formatText(reason))] : []),
  );
}

// A card per verdict: does the idealisation hold, by which margin, since when not, and why. The gravest first; what holds is a line
// that opens. A click goes to the moment and points at what the verdict is about.
export function verdictCards(data: ReportDocument, clock: Clock, point: (subject: string) => void, title = "Verdicts"): HTMLElement {
  const decimals = timeDecimals(clock.end - clock.start);
  const verdicts = [...data.verdicts].sort((a, b) => kByGravity.indexOf(a.verdict) - kByGravity.indexOf(b.verdict));
  // What held until the run failed is no success: it is told without the colour and the sign of one.
  const failed = data.end.state === "failed";
  const card = (verdict: VerdictDocument): HTMLElement => {
    const held = failed && verdict.verdict === "holds";
    const folded = verdict.verdict === "holds";
    const since = verdict.first_violation;
    const go = (): void => {
      if (since !== null) clock.jump(since);
      point(verdict.subject);
    };
    const sign = element("i", { "aria-hidden": "true" }, kSigns[held ? "not checked" : verdict.verdict]);
    const words = element("strong", {}, held ? kHeld : verdict.verdict);
    const name = element("h3", {}, element("button", { type: "button", title: "Show it", onclick: go }, verdict.subject));
    const kind = `card ${held ? "held" : verdict.verdict.replace(" ", "-")}`;
    const margin = verdict.margin === null ? [] : [marginBar(verdict.margin)];
    const why = [verdict.why, verdict.hint, verdict.term && `[${verdict.term}]`]
      .filter((text) => text)
      .map((text) => element("p", {}, formatText(text as string)));
    if (folded) {
      const short = verdict.margin === null ? [] : [element("span", { class: "note" }, `margin ${formatNumber(verdict.margin, 3)}`)];
      return element("details", { class: kind }, element("summary", {}, sign, name, ...short, words), ...margin, ...why);
    }
    const node = element("article", { class: kind }, element("header", {}, sign, name, words), ...margin, ...why);
    if (since !== null) {
      const text = `${kSince[verdict.verdict]} t = ${formatTime(since, decimals)} s`;
      node.append(element("button", { type: "button", class: "link", onclick: go }, text));
    }
    return node;
  };
  return element(
    "section",
    { class: "verdicts" },
    element("header", {}, element("h2", {}, title), element("span", { class: "note" }, summary(verdicts, failed))),
    element("div", { class: "cards" }, ...verdicts.map(card)),
  );
}

function summary(verdicts: VerdictDocument[], failed: boolean): string {
  if (verdicts.length === 0) return "no idealisation of this model was checked";
  return [...kByGravity]
    .reverse()
    .flatMap((kind) => {
      const count = verdicts.filter(({ verdict }) => verdict === kind).length;
      return count > 0 ? [`${failed && kind === "holds" ? kHeld : kind} ${count}`] : [];
    })
    .join(" · ");
}

// What there is against what is needed; the needed amount is the tick in the middle.
function marginBar(margin: number): HTMLElement {
  const bar = element("div", { class: "bar" }, element("b", {}));
  (bar.firstElementChild as HTMLElement).style.width = `${100 * Math.min(Math.max(margin, 0) / 2, 1)}%`;
  return element(
    "div",
    { class: "margin", title: "what there is, divided by what is needed: above 1 it holds" },
    bar,
    element("span", {}, `margin ${formatNumber(margin, 3)}`),
  );
}

// The numbers of the run.
export function factList(data: ReportDocument): HTMLElement {
  const { shown, total } = data.samples;
  const facts = [
    ...data.facts,
    {
      name: "samples",
      value: shown < total ? `${formatCount(shown)} of ${formatCount(total)} shown, evenly spread` : `${formatCount(total)}, all shown`,
    },
  ];
  return element(
    "section",
    { class: "facts" },
    element("h2", {}, "Run"),
    element(
      "dl",
      {},
      ...facts.map(({ name, value }) =>
        element("div", {}, element("dt", {}, capitalized(name)), element("dd", {}, formatText(value))),
      ),
    ),
  );
}

export function warningList(data: ReportDocument): HTMLElement {
  return element("section", { class: "warnings", role: "note" }, ...data.warnings.map((text) => element("p", {}, text)));
}
