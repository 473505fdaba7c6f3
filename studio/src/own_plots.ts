// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { colored, type PlotContext } from "./curves";
import { curveKey } from "./curves";
import { element } from "./dom";
import { formatUnit } from "./format";
import { Plot } from "./plot";
import type { Instant, Series } from "./recording";
import { XyPlot } from "./xy_plot";

const kMostListed = 200;

// What a plot shows: quantities over time, or over another quantity. As it stands in a link: "car.tx,car.ty" or "car.ty:car.tx".
export interface OwnPlot {
  names: string[];
  over: string; // "": time
}

export const plotText = ({ names, over }: OwnPlot): string => names.join(",") + (over ? `:${over}` : "");

export function readPlot(text: string): OwnPlot {
  const [names = "", over = ""] = text.split(/:(?=[^:]*$)/);
  return { names: names.split(",").filter(Boolean), over };
}

// The plots that the reader has put together.
export class OwnPlots {
  readonly node = element("div", { class: "own" });
  private readonly made: { wish: OwnPlot; plot: Plot | XyPlot }[] = [];
  onChange: () => void = () => {};

  constructor(
    private readonly context: PlotContext,
    private readonly twins: ReadonlyMap<string, Series>,
  ) {}

  get wishes(): OwnPlot[] {
    return this.made.map(({ wish }) => wish);
  }

  // False if the run has none of the quantities.
  add(wish: OwnPlot): boolean {
    const { series: all } = this.context.recording;
    const named = (name: string): Series | undefined => all.find((series) => series.name === name);
    const chosen = wish.names.flatMap((name) => named(name) ?? []);
    const over = wish.over ? named(wish.over) : undefined;
    if (chosen.length === 0 || (wish.over && !over)) return false;
    const curves = colored(this.context.recording, chosen, this.twins);
    const remove = (): void => {
      const index = this.made.findIndex((one) => one.plot === plot);
      this.made.splice(index, 1);
      plot.node.remove();
      this.onChange();
    };
    const twin = over && this.twins.get(curveKey(over));
    const plot = over
      ? new XyPlot(this.context, { series: over, ...(twin && { beside: twin }) }, curves, remove)
      : new Plot(this.context, chosen.map(({ name }) => name).join(" "), curves, 0, remove);
    if (plot instanceof Plot) plot.showAll();
    this.made.push({ wish, plot });
    this.node.append(plot.node);
    this.onChange();
    return true;
  }

  update(instant: Instant): void {
    for (const { plot } of this.made) plot.update(instant);
  }

  paint(): void {
    for (const { plot } of this.made) plot.rebuild();
  }

  showRange(): void {
    for (const { plot } of this.made) if (plot instanceof Plot) plot.showRange();
  }

  // Lets the reader choose.
  ask(): void {
    const { series: all } = this.context.recording;
    const chosen = new Set<string>();
    const list = element("div", { class: "choices" });
    const search = element("input", { type: "search", placeholder: "Filter quantities", "aria-label": "Filter quantities" });
    const over = element("select", { "aria-label": "Over" });
    over.append(element("option", { value: "" }, "time"));
    for (const { name } of all) over.append(element("option", { value: name }, name));
    const plotButton = element("button", { type: "submit", class: "main", disabled: "" }, "Plot");
    const choose = (name: string, on: boolean): void => {
      if (on) chosen.add(name);
      else chosen.delete(name);
      plotButton.disabled = chosen.size === 0;
    };
    const fill = (): void => {
      const wanted = search.value.toLowerCase();
      const found = all.filter(({ name }) => name.toLowerCase().includes(wanted));
      list.replaceChildren(
        ...found.slice(0, kMostListed).map(({ name, unit }) => {
          const box = element("input", { type: "checkbox", ...(chosen.has(name) ? { checked: "" } : {}) });
          box.addEventListener("change", () => choose(name, box.checked));
          return element("label", {}, box, element("span", {}, name), element("span", { class: "note" }, formatUnit(unit)));
        }),
        ...(found.length > kMostListed ? [element("p", { class: "note" }, `and ${found.length - kMostListed} more`)] : []),
      );
    };
    search.addEventListener("input", fill);
    fill();
    const cancel = element("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
    const form = element(
      "form",
      { method: "dialog" },
      element("h2", {}, "New plot"),
      search,
      list,
      element("div", { class: "row" }, element("label", {}, "over ", over), cancel, plotButton),
    );
    form.addEventListener("submit", () => this.add({ names: [...chosen], over: over.value }));
    const dialog = element("dialog", { class: "chooser" }, form);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
