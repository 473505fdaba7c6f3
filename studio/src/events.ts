// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import type { Clock } from "./clock";
import { element } from "./dom";
import { formatCount, formatTime, timeDecimals } from "./format";
import type { Events } from "./recording";

const kRow = 25; // pixels
const kFew = 12;
const kMostHeight = 264;
const kTallest = 8e6; // pixels a browser can scroll through

// Every event with its time; a click goes there. However many there are, only the rows in sight are made.
export class EventList {
  readonly node: HTMLElement;
  private readonly window = element("div", { class: "window", tabindex: "0" });
  private readonly rows = element("ol", {});
  private readonly space = element("div", {});
  private readonly decimals: number;
  private listed: Uint32Array;

  constructor(
    private readonly events: Events,
    private readonly clock: Clock,
  ) {
    this.decimals = timeDecimals(clock.end - clock.start);
    this.listed = events.list();
    const { total, count } = events;
    const told = count < total ? `the first ${formatCount(count)} of ${formatCount(total)}` : formatCount(total);
    this.node = element(
      "details",
      { class: "events", ...(total <= kFew ? { open: "" } : {}) },
      element("summary", {}, "Events", element("span", { class: "note" }, told)),
    );
    if (events.names.length > 1 && total > kFew) this.node.append(this.chooser());
    this.window.append(this.space, this.rows);
    this.node.append(this.window);
    this.window.addEventListener("scroll", () => this.render());
    this.node.addEventListener("toggle", () => this.render());
    this.resize();
  }

  private chooser(): HTMLElement {
    const select = element("select", { "aria-label": "Which events" });
    select.append(element("option", { value: "" }, "all kinds"));
    for (const name of this.events.names.slice(0, 500)) select.append(element("option", { value: name }, name));
    select.addEventListener("change", () => {
      this.listed = this.events.list(select.value);
      this.window.scrollTop = 0;
      this.resize();
    });
    return select;
  }

  private resize(): void {
    const height = Math.min(this.listed.length * kRow, kTallest);
    this.space.style.height = `${height}px`;
    this.window.style.height = `${Math.min(height, kMostHeight)}px`;
    this.render();
  }

  private render(): void {
    // Beyond what can be scrolled through, a pixel stands for several rows.
    const shown = Math.ceil(kMostHeight / kRow) + 1;
    const range = Math.max(this.listed.length * kRow - kMostHeight, 0);
    const track = Math.max(Math.min(this.listed.length * kRow, kTallest) - kMostHeight, 1);
    const first = Math.max(Math.floor(((this.window.scrollTop / track) * range) / kRow), 0);
    const items: HTMLElement[] = [];
    for (let i = first; i < Math.min(first + shown, this.listed.length); i++) items.push(this.row(this.listed[i]!));
    this.rows.replaceChildren(...items);
    this.rows.style.transform = `translateY(${this.window.scrollTop - (this.window.scrollTop % kRow)}px)`;
  }

  private row(index: number): HTMLElement {
    const t = this.events.times[index]!;
    return element(
      "li",
      {},
      element(
        "button",
        { type: "button", onclick: () => this.clock.jump(t) },
        element("span", {}, this.events.nameOf(index)),
        element("output", {}, `${formatTime(t, this.decimals)} s`),
      ),
    );
  }
}
