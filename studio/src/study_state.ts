// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { formatNumber, formatUnit } from "./format";
import type { Parameter, Quantity, StudyData } from "./study_data";
import type { Picture } from "./study_picture";

export type ViewName = "map" | "curve" | "histogram" | "scatter";

// A picture of the study, and how places on it belong to points.
export interface View {
  picture: Picture;
  pick: (x: number, y: number) => number; // the point there; -1: none
  place: (point: number) => [number, number] | undefined; // where a point is
  step: (point: number, dx: number, dy: number) => number; // its neighbour; -1: none
  tip?: (x: number, y: number) => string[]; // lines, where there is no point to tell of
}

// What a column of the scatter plot or the histogram shows: a parameter or a collected number.
export type Axis = Parameter | Quantity;

// What the reader has chosen.
export class StudyState {
  view: ViewName;
  quantity: Quantity;
  x: Parameter; // on levels; of maps and curves
  y: Parameter;
  readonly slice = new Map<Parameter, number>(); // level of every parameter that has levels
  scatterX: Axis;
  scatterY: Axis;
  logarithmic = false; // the scale of positive numbers
  level: number | undefined; // of the contour
  selected = -1;
  private readonly listeners: (() => void)[] = [];
  private readonly selectionListeners: (() => void)[] = [];

  constructor(readonly data: StudyData) {
    const { levelled, numbers } = this;
    this.quantity = data.quantities.find((q) => q.isVerdict) ?? data.quantities[0]!;
    // The first varies slowest: it is the one an engineer thinks of first, and stands along the paper.
    const varied = levelled.filter((parameter) => parameter.levels!.length > 1);
    const fallback = data.parameters[0]!;
    this.x = varied[0] ?? levelled[0] ?? fallback;
    this.y = varied[1] ?? levelled[1] ?? this.x;
    for (const parameter of levelled) this.slice.set(parameter, Math.floor(parameter.levels!.length / 2));
    this.scatterX = data.parameters[0]!;
    this.scatterY = numbers[0] ?? data.parameters[1] ?? data.parameters[0]!;
    this.view = this.views[0]!;
    if (this.view === "histogram") this.quantity = data.partner(this.quantity) ?? numbers[0] ?? this.quantity;
    this.level = this.defaultLevel();
  }

  get levelled(): Parameter[] {
    return this.data.parameters.filter(({ levels }) => levels !== undefined);
  }

  get numbers(): Quantity[] {
    return this.data.quantities.filter(({ inWords }) => !inWords);
  }

  // Those that this study can fill, the best first.
  get views(): ViewName[] {
    const varied = this.levelled.filter((parameter) => parameter.levels!.length > 1).length;
    const grid: ViewName[] = varied >= 2 ? ["map", "curve"] : varied === 1 ? ["curve"] : [];
    const rest: ViewName[] = ["histogram", "scatter"];
    return this.data.isRandom && varied < 2 ? [...rest, ...grid] : [...grid, ...rest];
  }

  // The parameters on levels that the shown picture holds still.
  get held(): Parameter[] {
    if (this.view !== "map" && this.view !== "curve") return [];
    return this.levelled.filter(
      (parameter) => parameter !== this.x && (this.view === "curve" || parameter !== this.y) && parameter.levels!.length > 1,
    );
  }

  get heldText(): string {
    return this.held
      .map((parameter) => {
        const value = parameter.levels![this.slice.get(parameter)!]!;
        return `${parameter.name} = ${formatNumber(value)}${formatUnit(parameter.unit) ? ` ${formatUnit(parameter.unit)}` : ""}`;
      })
      .join(", ");
  }

  choose(quantity: Quantity): void {
    this.quantity = quantity;
    this.level = this.defaultLevel();
    this.changed();
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  changed(): void {
    for (const listener of this.listeners) listener();
  }

  select(point: number): void {
    if (point < 0 || point === this.selected) return;
    this.selected = point;
    for (const listener of this.selectionListeners) listener();
  }

  onSelect(listener: () => void): void {
    this.selectionListeners.push(listener);
  }

  private defaultLevel(): number | undefined {
    return this.quantity.isMargin ? 1 : undefined;
  }
}
