// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { bodyColor } from "./bodies";
import type { Clock } from "./clock";
import { element } from "./dom";
import { capitalized } from "./format";
import { groupBy } from "./group";
import { type Curve, Plot, type PlotContext, type Range } from "./plot";
import type { Recording, Series } from "./recording";
import { paletteColor } from "./theme";

// All curves of a run: a section a group, in it a plot a unit, all over the same stretch of time.
export class Plots {
  readonly node = element("section", { class: "plots" });
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
  ) {
    const context: PlotContext = {
      recording,
      clock,
      range: () => this.zoomed ?? { min: recording.start, max: recording.end },
      zoom: (range) => this.zoom(range),
    };
    this.search.addEventListener("input", () => this.filter(this.search.value));
    this.reset.addEventListener("click", () => this.zoom(undefined));
    this.node.append(element("header", {}, element("h2", {}, "Curves"), this.reset, this.search));

    for (const [group, members] of groupBy(recording.series, (series) => series.group)) {
      // Double precision tells no more apart than this, in sums of such numbers.
      const leastSpan = 1e-11 * members.reduce((most, { largest }) => Math.max(most, largest), 0);
      const plots = [...groupBy(members, (series) => series.unit)].map(
        ([unit, series]) => new Plot(context, unit, this.colored(series), leastSpan),
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

  paint(): void {
    for (const plot of this.plots) plot.rebuild();
  }

  private filter(text: string, body = -1): void {
    for (const plot of this.plots) plot.filter(text, body);
    for (const { node, plots } of this.sections) node.hidden = plots.every((plot) => plot.node.hidden);
  }

  private update(time: number): void {
    const instant = this.recording.locate(time);
    for (const plot of this.plots) plot.update(instant);
  }

  private zoom(range: Range | undefined): void {
    this.zoomed = range;
    this.reset.hidden = range === undefined;
    for (const plot of this.plots) plot.showRange();
  }

  // A body's only curve in a plot has the body's colour; else colours tell the curves apart.
  private colored(series: Series[]): Curve[] {
    const owners = series.map(({ body }) => body);
    const single = owners.every((body) => body >= 0) && new Set(owners).size === owners.length;
    return series.map((one, index) => ({
      series: one,
      color: single ? bodyColor(this.recording.data, one.body) : paletteColor(index),
      shown: false,
    }));
  }
}
