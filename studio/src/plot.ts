// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import uPlot from "uplot";
import type { Clock } from "./clock";
import { element } from "./dom";
import { formatNumber, formatTicks, formatUnit } from "./format";
import type { Instant, Recording, Series } from "./recording";
import { cssColor } from "./theme";

export interface Curve {
  series: Series;
  color: string;
  shown: boolean;
}

export interface Range {
  min: number;
  max: number;
}

// What the plots of a page have in common.
export interface PlotContext {
  recording: Recording;
  clock: Clock;
  range: () => Range; // of time
  zoom: (range: Range | undefined) => void; // undefined: the whole run
}

const kAlwaysShown = 8; // so many curves are shown without being asked for
const kFirstShown = 6; // of more, so many
const kMostMatches = 12; // drawn of those a filter finds
const kMostChips = 80;
const kHeight = 170; // pixels

// The curves of one group that share a unit, over the time of the run, with a legend that tells their values at the cursor.
export class Plot {
  readonly node: HTMLElement;
  private readonly area = element("div", { class: "area" });
  private readonly chips = element("div", { class: "chips" });
  private readonly note = element("span", { class: "note" });
  private readonly offset = element("span", { class: "offset" });
  private readonly needle = element("div", { class: "needle" });
  private values: { curve: Curve; text: HTMLElement; dot: HTMLElement }[] = [];
  private chart: uPlot | undefined;
  private matching: Curve[];
  private seen = false;

  constructor(
    private readonly context: PlotContext,
    unit: string,
    private readonly curves: Curve[],
    private readonly leastSpan: number, // what is less is round-off
  ) {
    this.matching = curves;
    const tools = element("span", { class: "tools" }, this.note);
    if (curves.length > 1) {
      tools.append(
        element("button", { type: "button", class: "link", onclick: () => this.showOnly(this.matching) }, "all"),
        element("button", { type: "button", class: "link", onclick: () => this.showOnly([]) }, "none"),
      );
    }
    this.node = element(
      "figure",
      { class: "plot" },
      element("figcaption", {}, element("span", { class: "unit" }, formatUnit(unit) || "dimensionless"), this.offset, tools),
      this.area,
      this.chips,
    );
    // Made when it comes into sight, so that a page with hundreds of plots opens at once.
    const sight = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      sight.disconnect();
      this.seen = true;
      this.rebuild();
    });
    sight.observe(this.node);
    new ResizeObserver(() => this.resize()).observe(this.area);
    const longest = curves.reduce((most, { series }) => Math.max(most, series.name.length), 0);
    this.chips.style.setProperty("--longest", String(Math.min(longest, 40)));
    this.filter("");
  }

  // Leaves the curves whose name contains the text, or all: then the first few are shown.
  filter(text: string, body = -1): void {
    const wanted = text.toLowerCase();
    this.matching = this.curves.filter(({ series }) =>
      body >= 0 ? series.body === body : series.name.toLowerCase().includes(wanted),
    );
    const filtered = body >= 0 || wanted !== "";
    const most = filtered ? kMostMatches : this.curves.length <= kAlwaysShown ? kAlwaysShown : kFirstShown;
    this.node.hidden = this.matching.length === 0;
    this.showOnly(this.matching.slice(0, most));
  }

  showRange(): void {
    this.chart?.setScale("x", this.context.range());
  }

  // The cursor, and the values at it.
  update(instant: Instant): void {
    const { chart } = this;
    if (!chart || this.node.hidden) return;
    const { time } = this.context.clock;
    const { min, max } = this.context.range();
    const x = chart.valToPos(time, "x");
    this.needle.hidden = time < min || time > max;
    this.needle.style.transform = `translateX(${x}px)`;
    for (const { curve, text, dot } of this.values) {
      const value = curve.series.at(instant);
      text.textContent = formatNumber(value);
      const y = chart.valToPos(value, "y");
      dot.hidden = this.needle.hidden || y < 0 || y > chart.over.clientHeight;
      dot.style.transform = `translate(${x}px, ${y}px)`;
    }
  }

  rebuild(): void {
    if (!this.seen) return;
    this.chart?.destroy();
    const shown = this.curves.filter((curve) => curve.shown);
    this.values = [];
    this.drawChips();
    this.chart = new uPlot(
      this.options(shown),
      [this.context.recording.times, ...shown.map((curve) => curve.series.values)] as uPlot.AlignedData,
      this.area,
    );
    this.chart.over.append(this.needle, ...this.values.map(({ dot }) => dot));
    this.listen(this.chart);
    this.showRange();
  }

  private showOnly(shown: Curve[]): void {
    const set = new Set(shown);
    for (const curve of this.curves) curve.shown = set.has(curve);
    this.rebuild();
  }

  private drawChips(): void {
    const chips = this.matching.slice(0, kMostChips).map((curve) => {
      const value = element("output", {});
      const chip = element(
        "button",
        {
          type: "button",
          class: "chip",
          title: "click: show or hide · double click: only this",
          "aria-pressed": String(curve.shown),
        },
        element("i", { style: `--color: ${curve.color}` }),
        element("span", {}, curve.series.name),
        value,
      );
      chip.addEventListener("click", () => {
        curve.shown = !curve.shown;
        this.rebuild();
      });
      chip.addEventListener("dblclick", () => this.showOnly([curve]));
      if (curve.shown) {
        this.values.push({ curve, text: value, dot: element("div", { class: "dot", style: `--color: ${curve.color}` }) });
      }
      return chip;
    });
    const more = this.matching.length - chips.length;
    this.chips.replaceChildren(
      ...chips,
      ...(more > 0 ? [element("span", { class: "note" }, `and ${more} more: filter by name`)] : []),
    );
    const count = this.curves.filter((curve) => curve.shown).length;
    this.note.textContent = count < this.curves.length ? `${count} of ${this.curves.length}` : "";
  }

  private options(shown: Curve[]): uPlot.Options {
    const axis: uPlot.Axis = {
      stroke: () => cssColor("muted"),
      grid: { stroke: () => cssColor("rule"), width: 1 },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
    };
    const end = this.context.recording.end;
    return {
      width: Math.max(this.area.clientWidth, 50),
      height: kHeight,
      legend: { show: false },
      padding: [8, 14, 0, 0],
      cursor: { show: true, x: false, y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
      scales: {
        x: { time: false, range: (_, min, max) => (min < max ? [min, max] : [end - 0.5, end + 0.5]) },
        y: { range: (_, min, max) => paddedRange(min, max, this.leastSpan) },
      },
      axes: [
        { ...axis, size: 26, gap: 4, values: (_, ticks) => formatTicks(ticks).map((tick) => `${tick} s`), space: 70 },
        { ...axis, size: 58, gap: 6, values: (_, ticks) => this.tickLabels(ticks) },
      ],
      series: [{}, ...shown.map(({ color }) => ({ stroke: color, width: 1.6, points: { show: false } }))],
      hooks: {
        drawAxes: [(chart) => this.drawEvents(chart)],
        draw: [() => this.update(this.context.recording.locate(this.context.clock.time))],
        setSelect: [
          (chart) => {
            const { left, width } = chart.select;
            if (width < 3) return;
            this.context.zoom({ min: chart.posToVal(left, "x"), max: chart.posToVal(left + width, "x") });
            chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
      },
    };
  }

  // Hovering moves the time; while the motion plays only a click does.
  private listen(chart: uPlot): void {
    const { clock, zoom } = this.context;
    const seek = (event: MouseEvent): void =>
      clock.seek(chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, "x"));
    let pressed = 0;
    chart.over.addEventListener("mousemove", (event) => {
      if (!clock.playing && event.buttons === 0) seek(event);
    });
    chart.over.addEventListener("mousedown", (event) => (pressed = event.clientX));
    chart.over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - pressed) < 3) seek(event);
    });
    chart.over.addEventListener("dblclick", () => zoom(undefined));
  }

  // Where all ticks share their leading digits, these stand once above the axis.
  private tickLabels(ticks: number[]): string[] {
    const step = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : 1;
    const largest = Math.max(...ticks.map(Math.abs));
    const base = largest > 2e4 * step ? ticks[Math.floor(ticks.length / 2)]! : 0;
    this.offset.textContent = base === 0 ? "" : `${String(Number(base.toPrecision(12))).replace("-", "−")} +`;
    return formatTicks(ticks.map((tick) => (base === 0 ? tick : Number((tick - base).toPrecision(3)))));
  }

  private drawEvents(chart: uPlot): void {
    const { events } = this.context.recording.data;
    if (events.length === 0 || events.length > 200) return;
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.strokeStyle = cssColor("event");
    ctx.globalAlpha = events.length > 20 ? 0.3 : 0.55;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.lineWidth = devicePixelRatio;
    for (const event of events) {
      const x = Math.round(chart.valToPos(event.t, "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  private resize(): void {
    if (!this.chart || this.area.clientWidth === 0) return;
    this.chart.setSize({ width: this.area.clientWidth, height: kHeight });
  }
}

// The values with some air.
function paddedRange(min: number | null, max: number | null, least: number): uPlot.Range.MinMax {
  if (min === null || max === null) return [-1, 1];
  const span = Math.max(max - min, least);
  if (span === 0) return [min - 1, max + 1];
  const middle = (min + max) / 2;
  return [middle - 0.56 * span, middle + 0.56 * span];
}
