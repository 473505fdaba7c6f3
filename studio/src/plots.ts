// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import type { Clock } from "./clock";
import { colored, curveKey, type PlotContext, type Range, unite } from "./curves";
import { element } from "./dom";
import { capitalized } from "./format";
import { groupBy } from "./group";
import { OwnPlots } from "./own_plots";
import { Plot } from "./plot";
import type { Recording } from "./recording";

// All curves of a run: first the plots that the reader has made, then a section a group, in it a plot a unit, all over the same
// stretch of time.
export class Plots {
  readonly node = element("section", { class: "plots" });
  readonly own: OwnPlots;
  private readonly plots: Plot[] = [];
  private readonly sections: { node: HTMLElement; plots: Plot[] }[] = [];
  private readonly search = element("input", {
    type: "search",
    placeholder: "Filter curves",
    "aria-label": "Filter curves by name",
  });
  private readonly reset = element("button", { type: "button", class: "link", hidden: "" }, "whole run");
  private zoomed: Range | undefined;

  constructor(
    private readonly recording: Recording,
    clock: Clock,
    beside?: Recording,
  ) {
    const context: PlotContext = {
      recording,
      beside,
      clock,
      times: unite(recording.times, beside?.times),
      range: () => this.zoomed ?? { min: clock.start, max: clock.end },
      zoom: (range) => this.zoom(range),
    };
    const twins = new Map((beside?.series ?? []).map((series) => [curveKey(series), series]));
    this.own = new OwnPlots(context, twins);
    this.search.addEventListener("input", () => this.filter(this.search.value));
    this.reset.addEventListener("click", () => this.zoom(undefined));
    const make = element(
      "button",
      { type: "button", title: "Choose quantities to plot over time or over each other", onclick: () => this.own.ask() },
      "New plot",
    );
    const dashed = beside ? [element("span", { class: "note" }, "dashed: the second run")] : [];
    this.node.append(
      element("header", {}, element("h2", {}, "Curves"), ...dashed, this.reset, make, this.search),
      this.own.node,
    );

    for (const [group, members] of groupBy(recording.series, (series) => series.group)) {
      // Double precision tells no more apart than this, in sums of such numbers.
      const leastSpan = 1e-11 * members.reduce((most, { largest }) => Math.max(most, largest), 0);
      const plots = [...groupBy(members, (series) => series.unit)].map(
        ([, series]) => new Plot(context, `${recording.data.title} ${group}`, colored(recording, series, twins), leastSpan),
      );
      const node = element(
        "details",
        { class: "group", open: "" },
        element("summary", {}, capitalized(group)),
        ...plots.map((plot) => plot.node),
      );
      this.plots.push(...plots);
      this.sections.push({ node, plots });
      this.node.append(node);
    }
    clock.subscribe(() => this.update(clock.time));
  }

  // Curves of one body, by its index; -1: of all.
  showBody(body: number): void {
    this.search.value = body >= 0 ? this.recording.data.bodies[body]!.name : "";
    this.filter("", body);
  }

  // Curves whose name contains a text, if there are any.
  showNamed(text: string): void {
    const name = text.toLowerCase();
    if (!this.recording.series.some((series) => series.name.toLowerCase().includes(name))) return;
    this.search.value = text;
    this.filter(text);
  }

  paint(): void {
    for (const plot of this.plots) plot.rebuild();
    this.own.paint();
  }

  private filter(text: string, body = -1): void {
    for (const plot of this.plots) plot.filter(text, body);
    for (const { node, plots } of this.sections) node.hidden = plots.every((plot) => plot.node.hidden);
  }

  private update(time: number): void {
    const instant = this.recording.locate(time);
    for (const plot of this.plots) plot.update(instant);
    this.own.update(instant);
  }

  private zoom(range: Range | undefined): void {
    this.zoomed = range;
    this.reset.hidden = range === undefined;
    for (const plot of this.plots) plot.showRange();
    this.own.showRange();
  }
}
