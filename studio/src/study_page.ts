// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { byId, element, toggleButton } from "./dom";
import { formatNumber, withUnit } from "./format";
import { curveNumber, drawCurve } from "./study_curve";
import { kDone, kFailed, kInferred, StudyData, type Parameter, type Quantity } from "./study_data";
import type { StudyDocument } from "./study_document";
import { saveCsv, savePng, saveSvg } from "./study_export";
import { drawHistogram } from "./study_histogram";
import { drawMap } from "./study_map";
import { InfluenceCard, PointCard, SpreadCard, studyFacts, unfinished, verdictShares } from "./study_panel";
import { drawScatter } from "./study_scatter";
import { StudyState, type Axis, type View, type ViewName } from "./study_state";
import type { Theme } from "./theme";

const kViews: Record<ViewName, { label: string; title: string; draw: (state: StudyState, width: number, height: number) => View }> = {
  map: { label: "Map", title: "A quantity over two parameters", draw: drawMap },
  curve: { label: "Curve", title: "A quantity over one parameter", draw: drawCurve },
  histogram: { label: "Histogram", title: "How a quantity is spread", draw: drawHistogram },
  scatter: { label: "Scatter", title: "Every point at two of its numbers", draw: drawScatter },
};

// The page of a study: a picture to explore on the left, what it says on the right.
export function showStudy(document_: StudyDocument, theme: Theme): void {
  const data = new StudyData(document_);
  document.body.classList.add("study");
  document.querySelector(".keys")?.replaceChildren(element("kbd", {}, "←"), element("kbd", {}, "↑"), element("kbd", {}, "→"), element("kbd", {}, "↓"), " point");
  byId("timeline").hidden = true;
  const banner = unfinished(data);
  const { warnings } = document_;
  const panel = byId("panel");
  if (banner) panel.append(banner);
  if (warnings.length > 0) panel.append(element("section", { class: "warnings", role: "note" }, ...warnings.map((text) => element("p", {}, text))));
  if (data.size === 0 || data.quantities.length === 0 || data.parameters.length === 0) {
    byId("stage").append(element("p", { class: "apology" }, "No point of this study is known yet."));
    panel.append(studyFacts(data));
    return;
  }
  const state = new StudyState(data);
  const figure = new Figure(state);
  byId("stage").append(tools(state, figure), slices(state), figure.node);
  panel.append(
    verdictShares(state),
    new PointCard(state).node,
    new InfluenceCard(state).node,
    new SpreadCard(state).node,
    studyFacts(data),
  );
  theme.subscribe(() => figure.draw());
  figure.draw();
}

// The picture, the ring about the chosen point, and the tip under the pointer.
class Figure {
  readonly node: HTMLElement;
  private readonly ring = element("div", { class: "ring" });
  private readonly tip = element("div", { class: "tip" });
  private readonly drawing = element("div", {});
  private view: View | undefined;

  constructor(private readonly state: StudyState) {
    this.ring.hidden = this.tip.hidden = true;
    this.node = element(
      "div",
      { class: "study-figure", tabindex: "0", role: "application", "aria-label": "Picture of the study; arrow keys choose a point" },
      this.drawing,
      this.ring,
      this.tip,
    );
    this.node.addEventListener("pointermove", (event) => this.hover(event));
    this.node.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.node.addEventListener("click", (event) => state.select(this.pointAt(event)));
    this.node.addEventListener("keydown", (event) => this.onKey(event));
    state.subscribe(() => this.draw());
    state.onSelect(() => this.mark());
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  get picture(): View["picture"] | undefined {
    return this.view?.picture;
  }

  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.node;
    if (width < 40 || height < 40) return;
    this.tip.hidden = true;
    this.view = kViews[this.state.view].draw(this.state, width, height);
    this.drawing.replaceChildren(this.view.picture.node);
    this.mark();
  }

  private mark(): void {
    const place = this.state.selected >= 0 ? this.view?.place(this.state.selected) : undefined;
    this.ring.hidden = !place;
    if (place) this.ring.style.transform = `translate(${place[0]}px, ${place[1]}px)`;
  }

  private pointAt(event: MouseEvent): number {
    return this.view?.pick(...this.placeOf(event)) ?? -1;
  }

  private placeOf(event: MouseEvent): [number, number] {
    const { left, top } = this.node.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  private hover(event: MouseEvent): void {
    const [x, y] = this.placeOf(event);
    const point = this.pointAt(event);
    const lines = point >= 0 ? this.lines(point) : (this.view?.tip?.(x, y) ?? []);
    this.tip.hidden = lines.length === 0;
    if (this.tip.hidden) return;
    this.tip.replaceChildren(...lines.map((line) => element("div", {}, line)));
    const { clientWidth, clientHeight } = this.node;
    const left = x + 14 + this.tip.offsetWidth > clientWidth ? x - 14 - this.tip.offsetWidth : x + 14;
    const top = y + 14 + this.tip.offsetHeight > clientHeight ? y - 14 - this.tip.offsetHeight : y + 14;
    this.tip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px)`;
  }

  private lines(point: number): string[] {
    const { state } = this;
    const { data, quantity } = state;
    const words = { [kDone]: "", [kFailed]: "failed", [kInferred]: "inferred, not run" }[data.status[point]!]!;
    const told = (axis: Axis): string => `${axis.name} ${withUnit(formatNumber(axis.at(point), 4), axis.unit)}`;
    const axes: Axis[] = state.view === "map" ? [state.x, state.y] : state.view === "curve" ? [state.x] : [state.scatterX, state.scatterY];
    const value = quantity.inWords ? `${quantity.name} ${quantity.wordAt(point) ?? "none"}` : quantity.has(point) ? told(quantity) : `${quantity.name} none`;
    return [...axes.filter((axis) => axis !== quantity).map(told), value, ...(words ? [words] : [])];
  }

  private onKey(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const step = steps[event.key];
    if (!step || !this.view) return;
    event.preventDefault();
    const { state, node } = this;
    const factor = event.shiftKey ? 10 : 1;
    if (state.selected >= 0 && this.view.place(state.selected)) {
      state.select(this.view.step(state.selected, factor * step[0], factor * step[1]));
    } else {
      state.select(this.view.pick(node.clientWidth / 2, node.clientHeight / 2));
    }
  }
}

function chooser<T>(label: string, options: { value: T; name: string }[], current: () => T, choose: (value: T) => void): HTMLElement {
  const select = element("select", { "aria-label": label });
  options.forEach(({ name }, k) => select.append(element("option", { value: String(k) }, name)));
  select.addEventListener("change", () => choose(options[Number(select.value)]!.value));
  const node = element("label", { class: "choice" }, element("span", {}, label), select);
  const follow = (): void => {
    select.value = String(options.findIndex(({ value }) => value === current()));
  };
  follow();
  return Object.assign(node, { follow });
}

const named = <T extends { name: string }>(list: T[]): { value: T; name: string }[] => list.map((value) => ({ value, name: value.name }));

function tools(state: StudyState, figure: Figure): HTMLElement {
  const { data } = state;
  const tabs = element("div", { class: "tabs", role: "group", "aria-label": "Picture" });
  for (const name of state.views) {
    const { label, title } = kViews[name];
    const button = element("button", { type: "button", title, "data-view": name }, label);
    button.addEventListener("click", () => {
      state.view = name;
      state.changed();
    });
    tabs.append(button);
  }
  const quantity = chooser<Quantity>("show", named(data.quantities), () => state.quantity, (value) => state.choose(value));
  const levelled = state.levelled.filter((parameter) => parameter.levels!.length > 1);
  const exchange = (set: (value: Parameter) => void) => (value: Parameter) => {
    // Two axes never show the same: choosing the other's exchanges them.
    const before: [Parameter, Parameter] = [state.x, state.y];
    set(value);
    if (state.x === state.y && levelled.length > 1) {
      if (before[0] !== state.x) state.y = before[0];
      else state.x = before[1];
    }
    state.changed();
  };
  const x = chooser<Parameter>("x", named(levelled), () => state.x, exchange((value) => (state.x = value)));
  const y = chooser<Parameter>("y", named(levelled), () => state.y, exchange((value) => (state.y = value)));
  const axes: Axis[] = [...data.parameters, ...state.numbers];
  const set = (change: (value: Axis) => void) => (value: Axis) => {
    change(value);
    state.changed();
  };
  const scatterX = chooser<Axis>("x", named(axes), () => state.scatterX, set((value) => (state.scatterX = value)));
  const scatterY = chooser<Axis>("y", named(axes), () => state.scatterY, set((value) => (state.scatterY = value)));
  const logarithmic = toggleButton("Log", "Equal ratios instead of equal differences", false, (on) => {
    state.logarithmic = on;
    state.changed();
  });
  const level = element("input", { type: "number", step: "any", "aria-label": "Contour at" });
  level.addEventListener("change", () => {
    state.level = level.value === "" ? undefined : Number(level.value);
    state.changed();
  });
  const contour = element("label", { class: "choice" }, element("span", {}, "contour at"), level);

  const name = (document.title.split(" · ")[0] ?? "study").replace(/[^\w-]+/g, "-");
  const save = (label: string, title: string, act: () => void): HTMLElement =>
    element("button", { type: "button", title, onclick: act }, label);
  const withPicture = (act: (picture: View["picture"]) => void) => () => {
    if (figure.picture) act(figure.picture);
  };
  const exports_ = element(
    "div",
    { class: "exports", role: "group", "aria-label": "Save" },
    save("PNG", "Save the picture as PNG", withPicture((picture) => void savePng(name, picture))),
    save("SVG", "Save the picture as SVG", withPicture((picture) => saveSvg(name, picture))),
    save("CSV", "Save all points as a table", () => saveCsv(name, data)),
  );

  const follow = (): void => {
    for (const button of tabs.children) button.setAttribute("aria-pressed", String((button as HTMLElement).dataset.view === state.view));
    const { view } = state;
    x.hidden = !(view === "map" || (view === "curve" && levelled.length > 1));
    y.hidden = view !== "map";
    scatterX.hidden = scatterY.hidden = view !== "scatter";
    const scaled = view === "curve" ? curveNumber(state) : state.quantity;
    const { least = 0 } = scaled?.statistics.spread ?? {};
    logarithmic.hidden = view === "histogram" || !scaled || least <= 0 || (view !== "curve" && scaled.isMargin);
    contour.hidden = state.quantity.inWords || !(view === "map" || view === "curve");
    level.value = state.level === undefined ? "" : String(state.level);
    for (const node of [quantity, x, y, scatterX, scatterY]) (node as HTMLElement & { follow: () => void }).follow();
  };
  state.subscribe(follow);
  follow();
  return element("div", { class: "study-tools" }, tabs, quantity, x, y, scatterX, scatterY, contour, logarithmic, exports_);
}

// A slider for each parameter that the picture holds still.
function slices(state: StudyState): HTMLElement {
  const node = element("div", { class: "study-slices" });
  const rows = state.levelled
    .filter((parameter) => parameter.levels!.length > 1)
    .map((parameter) => {
      const slider = element("input", { type: "range", min: "0", max: String(parameter.levels!.length - 1), step: "1", "aria-label": parameter.name });
      const output = element("output", {});
      slider.addEventListener("input", () => {
        state.slice.set(parameter, Number(slider.value));
        state.changed();
      });
      const row = element("label", {}, element("span", {}, parameter.name), slider, output);
      node.append(row);
      const follow = (): void => {
        const level = state.slice.get(parameter)!;
        row.hidden = !state.held.includes(parameter);
        slider.value = String(level);
        output.textContent = withUnit(formatNumber(parameter.levels![level]!, 4), parameter.unit);
        slider.setAttribute("aria-valuetext", output.textContent);
      };
      return follow;
    });
  const follow = (): void => {
    for (const row of rows) row();
    node.hidden = state.held.length === 0;
  };
  state.subscribe(follow);
  follow();
  return node;
}
