// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import uPlot from "uplot";
import { chartSvg, type ChartLine } from "./chart_svg";
import { type Curve, kBesideDash, type PlotContext, valuesAt } from "./curves";
import { element, toggleButton } from "./dom";
import { csvCell, fileName, saveText } from "./download";
import { formatNumber, formatTicks, formatUnit } from "./format";
import type { Instant } from "./recording";
import { cssColor } from "./theme";

const kAlwaysShown = 8; // so many curves are shown without being asked for
const kFirstShown = 6; // of more, so many
const kMostMatches = 30; // drawn of those a filter finds
const kMostChips = 80;
const kHeight = 170; // pixels
const kReach = 24; // pixels: a curve this near to the pointer is meant
const kMostEventLines = 200;
const kDeepest = 1e-18; // of the largest, on a logarithmic axis

// A drawn line: a curve of the first or the second run.
interface Drawn {
  curve: Curve;
  isBeside: boolean;
  values: ArrayLike<number | null>;
}

// Curves over the time of the run, with a legend that tells their values at the cursor. Curves of different units have axes of their
// own, the first on the left, the second on the right.
export class Plot {
  readonly node: HTMLElement;
  private readonly area = element("div", { class: "area" });
  private readonly chips = element("div", { class: "chips" });
  private readonly note = element("span", { class: "note" });
  private readonly offset = element("span", { class: "offset" });
  private readonly needle = element("div", { class: "needle" });
  private readonly units: string[];
  private values: { curve: Curve; text: HTMLElement; dot: HTMLElement; chip: HTMLElement }[] = [];
  private drawn: Drawn[] = [];
  private chart: uPlot | undefined;
  private matching: Curve[];
  private logarithmic = false;
  private seen = false;

  constructor(
    private readonly context: PlotContext,
    private readonly title: string,
    private readonly curves: Curve[],
    private readonly leastSpan: number, // what is less is round-off
    remove?: () => void,
  ) {
    this.matching = curves;
    this.units = [...new Set(curves.map(({ series }) => series.unit))];
    const link = (text: string, hint: string, act: () => void): HTMLElement =>
      element("button", { type: "button", class: "link", title: hint, onclick: act }, text);
    const tools = element("span", { class: "tools" }, this.note);
    if (curves.length > 1) {
      tools.append(
        link("all", "Show all", () => this.showOnly(this.matching)),
        link("none", "Show none", () => this.showOnly([])),
      );
    }
    const log = toggleButton("log", "Magnitudes on a logarithmic scale", false, (on) => {
      this.logarithmic = on;
      this.rebuild();
    });
    log.classList.add("link");
    tools.append(
      log,
      link("SVG", "Save as a drawing", () => this.saveSvg()),
      link("CSV", "Save the curves that are shown as a table", () => this.saveCsv()),
      ...(remove ? [link("remove", "Remove this plot", remove)] : []),
    );
    this.node = element(
      "figure",
      { class: "plot" },
      element("figcaption", {}, element("span", { class: "unit" }, this.unitText()), this.offset, tools),
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

  showAll(): void {
    this.showOnly(this.curves);
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
      const y = chart.valToPos(this.logarithmic ? Math.abs(value) : value, this.scaleOf(curve));
      dot.hidden = this.needle.hidden || !(y >= 0 && y <= chart.over.clientHeight);
      dot.style.transform = `translate(${x}px, ${y}px)`;
    }
  }

  rebuild(): void {
    if (!this.seen) return;
    this.chart?.destroy();
    const shown = this.curves.filter((curve) => curve.shown);
    this.drawn = shown.flatMap((curve) => [
      { curve, isBeside: false, values: this.valuesOf(curve, false) },
      ...(curve.beside ? [{ curve, isBeside: true, values: this.valuesOf(curve, true) }] : []),
    ]);
    this.values = [];
    this.drawChips();
    this.chart = new uPlot(
      this.options(),
      [this.context.times, ...this.drawn.map(({ values }) => values)] as uPlot.AlignedData,
      this.area,
    );
    this.chart.over.append(this.needle, ...this.values.map(({ dot }) => dot));
    this.listen(this.chart);
    this.showRange();
  }

  private unitText(): string {
    return this.units.map((unit) => formatUnit(unit) || "dimensionless").join(" | ");
  }

  private scaleOf(curve: Curve): string {
    return `y${this.units.indexOf(curve.series.unit)}`;
  }

  private valuesOf(curve: Curve, isBeside: boolean): ArrayLike<number | null> {
    const { times, recording, beside } = this.context;
    const values = isBeside ? valuesAt(times, beside!, curve.beside!) : valuesAt(times, recording, curve.series);
    if (!this.logarithmic) return values;
    return Array.from(values as ArrayLike<number>, (value) => (value === null || value === 0 ? null : Math.abs(value)));
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
          title: `${curve.series.name}\nclick: show or hide · double click: only this`,
          "aria-pressed": String(curve.shown),
        },
        element("i", { class: curve.dash.length > 0 ? "dashed" : "", style: `--color: ${curve.color}` }),
        element("span", {}, curve.series.name),
        value,
      );
      chip.addEventListener("click", () => {
        curve.shown = !curve.shown;
        this.rebuild();
      });
      chip.addEventListener("dblclick", () => this.showOnly([curve]));
      chip.addEventListener("pointerenter", () => this.focus(curve));
      chip.addEventListener("pointerleave", () => this.focus(undefined));
      if (curve.shown) {
        const dot = element("div", { class: "dot", style: `--color: ${curve.color}` });
        this.values.push({ curve, text: value, dot, chip });
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

  // One curve stands out, the others step back; undefined: all are equal.
  private focus(curve: Curve | undefined): void {
    const index = this.drawn.findIndex((one) => one.curve === curve);
    this.chart?.setSeries(index < 0 ? null : index + 1, { focus: true });
  }

  private options(): uPlot.Options {
    const axis: uPlot.Axis = {
      stroke: () => cssColor("muted"),
      grid: { stroke: () => cssColor("rule"), width: 1 },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
    };
    const end = this.context.recording.end;
    const scale: uPlot.Scale = this.logarithmic
      ? { distr: 3, range: (_, min, max) => logarithmicRange(min, max) }
      : { range: (_, min, max) => paddedRange(min, max, this.leastSpan) };
    const used = this.units.filter((unit) => this.drawn.some(({ curve }) => curve.series.unit === unit));
    const axisOf = (unit: string, side: 1 | 3): uPlot.Axis => ({
      ...axis,
      ...(side === 1 ? { side, grid: { show: false } } : {}),
      scale: `y${this.units.indexOf(unit)}`,
      size: 58,
      gap: 6,
      values: (_, ticks) => this.tickLabels(ticks, side === 3 && used.length === 1),
    });
    const axes = used.length > 0 ? used.slice(0, 2).map((unit, i) => axisOf(unit, i === 0 ? 3 : 1)) : [axisOf(this.units[0]!, 3)];
    return {
      width: Math.max(this.area.clientWidth, 50),
      height: kHeight,
      legend: { show: false },
      padding: [8, axes.length > 1 ? 0 : 14, 0, 0],
      focus: { alpha: 0.18 },
      cursor: {
        show: true,
        x: false,
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false },
        focus: { prox: this.drawn.length > 1 ? kReach : -1 },
      },
      scales: {
        x: { time: false, range: (_, min, max) => (min < max ? [min, max] : [end - 0.5, end + 0.5]) },
        ...Object.fromEntries(this.units.map((_, i) => [`y${i}`, scale])),
      },
      axes: [{ ...axis, size: 26, gap: 4, values: (_, ticks) => formatTicks(ticks).map((tick) => `${tick} s`), space: 70 }, ...axes],
      series: [
        {},
        ...this.drawn.map(({ curve, isBeside }) => ({
          scale: this.scaleOf(curve),
          stroke: curve.color,
          width: 1.6,
          dash: [...(isBeside ? kBesideDash : curve.dash)],
          pxAlign: 0, // no stairs where a pixel of the page is one of the screen
          spanGaps: false,
          points: { show: false },
        })),
      ],
      hooks: {
        drawAxes: [(chart) => this.drawEvents(chart)],
        draw: [() => this.update(this.context.recording.locate(this.context.clock.time))],
        setSeries: [(chart, index) => this.standOut(chart, index)],
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

  // The chosen curve is thicker, and its chip is marked.
  private standOut(chart: uPlot, index: number | null): void {
    const chosen = index === null ? undefined : this.drawn[index - 1]?.curve;
    this.drawn.forEach(({ curve }, i) => (chart.series[i + 1]!.width = curve === chosen ? 2.6 : 1.6));
    const pointed = this.chips.matches(":hover"); // then the chips stay where they are
    for (const { curve, chip } of this.values) {
      chip.classList.toggle("focused", curve === chosen);
      if (curve === chosen && !pointed) this.chips.scrollTop = chip.offsetTop - this.chips.offsetTop - this.chips.clientHeight / 2;
    }
    // Both runs of a curve belong together.
    this.drawn.forEach(({ curve, isBeside }, i) => {
      if (isBeside && curve === chosen) chart.series[i + 1]!.alpha = 1;
    });
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
    chart.over.addEventListener("mouseleave", () => this.focus(undefined));
    chart.over.addEventListener("dblclick", () => zoom(undefined));
  }

  // Where all ticks share their leading digits, these stand once above the axis.
  private tickLabels(ticks: number[], mayShift: boolean): string[] {
    if (this.logarithmic) return ticks.map((tick) => (Math.abs(Math.log10(tick) % 1) < 1e-9 ? formatNumber(tick, 1) : ""));
    const step = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : 1;
    const largest = Math.max(...ticks.map(Math.abs));
    const base = mayShift && largest > 2e4 * step ? ticks[Math.floor(ticks.length / 2)]! : 0;
    if (mayShift) this.offset.textContent = base === 0 ? "" : `${String(Number(base.toPrecision(12))).replace("-", "−")} +`;
    return formatTicks(ticks.map((tick) => (base === 0 ? tick : Number((tick - base).toPrecision(3)))));
  }

  private drawEvents(chart: uPlot): void {
    const { events } = this.context.recording;
    if (events.count === 0 || events.count > kMostEventLines) return;
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.strokeStyle = cssColor("event");
    ctx.globalAlpha = events.count > 20 ? 0.3 : 0.55;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.lineWidth = devicePixelRatio;
    for (const t of events.times) {
      const x = Math.round(chart.valToPos(t, "x", true));
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

  private saveSvg(): void {
    const { times } = this.context;
    const lines = this.drawn.map(
      ({ curve, isBeside, values }): ChartLine => ({
        name: isBeside ? `${curve.series.name} (second run)` : curve.series.name,
        color: curve.color,
        dash: isBeside ? kBesideDash : curve.dash,
        x: times,
        y: values,
      }),
    );
    const { chart } = this;
    const { min = 0, max = 1 } = chart?.scales[this.drawn[0] ? this.scaleOf(this.drawn[0].curve) : "y0"] ?? {};
    const label = this.logarithmic ? `magnitude [${this.unitText()}]` : this.unitText();
    const y = { label, min, max, logarithmic: this.logarithmic };
    saveText(
      fileName(this.title, "svg"),
      "image/svg+xml",
      chartSvg(this.title, { label: "t [s]", ...this.context.range() }, y, lines),
    );
  }

  private saveCsv(): void {
    const { times } = this.context;
    const { min, max } = this.context.range();
    const shown = this.drawn.map(({ curve, isBeside }) => ({
      header: `${curve.series.name}${isBeside ? " (second run)" : ""} [${curve.series.unit}]`,
      values: isBeside ? valuesAt(times, this.context.beside!, curve.beside!) : valuesAt(times, this.context.recording, curve.series),
    }));
    const rows = [["t [s]", ...shown.map(({ header }) => csvCell(header))].join(",")];
    times.forEach((t, i) => {
      if (t >= min && t <= max) rows.push([t, ...shown.map(({ values }) => values[i] ?? "")].join(","));
    });
    saveText(fileName(this.title, "csv"), "text/csv", `${rows.join("\n")}\n`);
  }
}

// The values with some air.
export function paddedRange(min: number | null, max: number | null, least: number): [number, number] {
  if (min === null || max === null) return [-1, 1];
  const span = Math.max(max - min, least);
  if (span === 0) return [min - 1, max + 1];
  const middle = (min + max) / 2;
  return [middle - 0.56 * span, middle + 0.56 * span];
}

// Whole powers of ten around the magnitudes.
function logarithmicRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !(max > 0)) return [0.1, 1];
  const low = Math.max(min > 0 ? min : max, kDeepest * max);
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(max))];
  return [10 ** from, 10 ** (to > from ? to : from + 1)];
}
