// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import uPlot from "uplot";
import { chartSvg } from "./chart_svg";
import { type Curve, kBesideDash, type PlotContext, type Range, valuesAt } from "./curves";
import { element } from "./dom";
import { csvCell, fileName, saveText } from "./download";
import { formatTicks, formatUnit } from "./format";
import { paddedRange } from "./plot";
import type { Instant, Series } from "./recording";
import { cssColor } from "./theme";

const kHeight = 260; // pixels

// Quantities over another one: a phase portrait, a path. Where both are lengths a circle is round.
export class XyPlot {
  readonly node: HTMLElement;
  private readonly area = element("div", { class: "area" });
  private readonly dots: { curve: Curve; dot: HTMLElement }[];
  private chart: uPlot | undefined;

  constructor(
    private readonly context: PlotContext,
    private readonly abscissa: { series: Series; beside?: Series },
    private readonly curves: Curve[],
    remove: () => void,
  ) {
    const link = (text: string, hint: string, act: () => void): HTMLElement =>
      element("button", { type: "button", class: "link", title: hint, onclick: act }, text);
    this.dots = curves.map((curve) => ({ curve, dot: element("div", { class: "dot", style: `--color: ${curve.color}` }) }));
    const legend = curves.map(({ series, color, dash }) =>
      element(
        "span",
        { class: "chip" },
        element("i", { class: dash.length > 0 ? "dashed" : "", style: `--color: ${color}` }),
        element("span", {}, series.name),
      ),
    );
    this.node = element(
      "figure",
      { class: "plot xy" },
      element(
        "figcaption",
        {},
        element("span", { class: "unit" }, axisText(curves[0]!.series)),
        element(
          "span",
          { class: "tools" },
          link("SVG", "Save as a drawing", () => this.saveSvg()),
          link("CSV", "Save as a table", () => this.saveCsv()),
          link("remove", "Remove this plot", remove),
        ),
      ),
      this.area,
      element("p", { class: "note under" }, `over ${axisText(abscissa.series)}`),
      element("div", { class: "chips" }, ...legend),
    );
    new ResizeObserver(() => this.rebuild()).observe(this.area);
  }

  update(instant: Instant, chart = this.chart): void {
    if (!chart) return;
    const x = chart.valToPos(this.abscissa.series.at(instant), "x");
    for (const { curve, dot } of this.dots) {
      dot.style.transform = `translate(${x}px, ${chart.valToPos(curve.series.at(instant), "y")}px)`;
    }
  }

  rebuild(): void {
    if (this.area.clientWidth === 0) return;
    this.chart?.destroy();
    const axis: uPlot.Axis = {
      stroke: () => cssColor("muted"),
      grid: { stroke: () => cssColor("rule"), width: 1 },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
      values: (_, ticks) => formatTicks(ticks),
    };
    const { x, y } = this.ranges(this.area.clientWidth - 72, kHeight - 34);
    // One point in its data: the chart has axes, and the paths are drawn into it.
    this.chart = new uPlot(
      {
        width: this.area.clientWidth,
        height: kHeight,
        legend: { show: false },
        padding: [8, 14, 0, 0],
        cursor: { show: false },
        scales: { x: { time: false, range: () => [x.min, x.max] }, y: { range: () => [y.min, y.max] } },
        axes: [
          { ...axis, size: 26, gap: 4 },
          { ...axis, size: 58, gap: 6 },
        ],
        series: [{}, { show: false }],
        // A chart has its scales when it is drawn, and not before: then the marks find their places.
        hooks: {
          draw: [
            (chart) => {
              this.drawPaths(chart);
              this.update(this.context.recording.locate(this.context.clock.time), chart);
            },
          ],
        },
      },
      [[x.min, x.max], [y.min, y.max]],
      this.area,
    );
    this.chart.over.append(...this.dots.map(({ dot }) => dot));
  }

  private lines(): { curve: Curve; isBeside: boolean; x: Float64Array; y: Float64Array }[] {
    return this.curves.flatMap((curve) => [
      { curve, isBeside: false, x: this.abscissa.series.values, y: curve.series.values },
      ...(curve.beside && this.abscissa.beside
        ? [{ curve, isBeside: true, x: this.abscissa.beside.values, y: curve.beside.values }]
        : []),
    ]);
  }

  private ranges(width: number, height: number): { x: Range; y: Range } {
    const reach = (lists: Float64Array[]): Range => {
      const values = lists.map((list) => list.reduce<[number, number]>(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]));
      const [min, max] = paddedRange(Math.min(...values.map(([a]) => a)), Math.max(...values.map(([, b]) => b)), 0);
      return { min, max };
    };
    const lines = this.lines();
    const [x, y] = [reach(lines.map((line) => line.x)), reach(lines.map((line) => line.y))];
    if (this.abscissa.series.unit !== "m" || this.curves.some(({ series }) => series.unit !== "m")) return { x, y };
    const perPixel = Math.max((x.max - x.min) / width, (y.max - y.min) / height);
    const widen = ({ min, max }: Range, pixels: number): Range => {
      const middle = (min + max) / 2;
      return { min: middle - (perPixel * pixels) / 2, max: middle + (perPixel * pixels) / 2 };
    };
    return { x: widen(x, width), y: widen(y, height) };
  }

  private drawPaths(chart: uPlot): void {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineWidth = 1.6 * devicePixelRatio;
    ctx.lineJoin = "round";
    for (const { curve, isBeside, x, y } of this.lines()) {
      ctx.strokeStyle = curve.color;
      ctx.setLineDash((isBeside ? kBesideDash : curve.dash).map((length) => length * devicePixelRatio));
      ctx.beginPath();
      for (let i = 0; i < x.length; i++) ctx.lineTo(chart.valToPos(x[i]!, "x", true), chart.valToPos(y[i]!, "y", true));
      ctx.stroke();
    }
    ctx.restore();
  }

  private title(): string {
    return `${this.curves.map(({ series }) => series.name).join(" ")} over ${this.abscissa.series.name}`;
  }

  private saveSvg(): void {
    const { x, y } = this.ranges(1.8, 1);
    const lines = this.lines().map(({ curve, isBeside, x: xs, y: ys }) => ({
      name: isBeside ? `${curve.series.name} (second run)` : curve.series.name,
      color: curve.color,
      dash: isBeside ? kBesideDash : curve.dash,
      x: xs,
      y: ys,
    }));
    const label = (series: Series): string => axisText(series);
    const text = chartSvg(this.title(), { label: label(this.abscissa.series), ...x }, { label: label(this.curves[0]!.series), ...y }, lines);
    saveText(fileName(this.title(), "svg"), "image/svg+xml", text);
  }

  private saveCsv(): void {
    const { recording, times } = this.context;
    const all = [this.abscissa.series, ...this.curves.map(({ series }) => series)];
    const columns = all.map((series) => valuesAt(times, recording, series));
    const rows = [["t [s]", ...all.map(({ name, unit }) => csvCell(`${name} [${unit}]`))].join(",")];
    times.forEach((t, i) => rows.push([t, ...columns.map((values) => values[i] ?? "")].join(",")));
    saveText(fileName(this.title(), "csv"), "text/csv", `${rows.join("\n")}\n`);
  }
}

const axisText = ({ name, unit }: Series): string => (formatUnit(unit) ? `${name} [${formatUnit(unit)}]` : name);
