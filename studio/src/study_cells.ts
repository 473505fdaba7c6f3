// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import type { Field } from "./study_contour";
import { kFailed, kInferred, type Parameter, type Quantity, type StudyData } from "./study_data";
import type { StudyState } from "./study_state";
import { kByGravity } from "./words";

const kGravity: readonly string[] = [...kByGravity].reverse(); // the gravest last

// The points of a slice on the levels of two parameters. Where random parameters put several points into a cell, numbers are
// their mean and words the gravest, or the first.
export class Cells {
  readonly columns: number;
  readonly rows: number;
  readonly first: Int32Array; // the point with the smallest number; -1: none
  readonly count: Uint32Array;
  private readonly cell: Int32Array; // of each point; -1: in another slice
  private readonly data: StudyData;

  constructor(state: StudyState, x: Parameter, y: Parameter | undefined) {
    this.data = state.data;
    this.columns = x.levels!.length;
    this.rows = y ? y.levels!.length : 1;
    this.first = new Int32Array(this.columns * this.rows).fill(-1);
    this.count = new Uint32Array(this.columns * this.rows);
    this.cell = new Int32Array(this.data.size).fill(-1);
    const held = state.levelled.filter((parameter) => parameter !== x && parameter !== y);
    const holds = held.map((parameter) => ({ index: parameter.index!, level: state.slice.get(parameter)! }));
    for (let point = 0; point < this.data.size; point++) {
      if (holds.some(({ index, level }) => index[point] !== level)) continue;
      const cell = (y ? y.index![point]! * this.columns : 0) + x.index![point]!;
      this.cell[point] = cell;
      if (this.first[cell]! < 0) this.first[cell] = point;
      this.count[cell]!++;
    }
  }

  get severalInACell(): boolean {
    return this.count.some((count) => count > 1);
  }

  // Failed if all points of the cell are; inferred if its first is.
  status(cell: number): number {
    const point = this.first[cell]!;
    return point < 0 ? 0 : this.data.status[point]!;
  }

  points(cell: number): number[] {
    if (this.count[cell]! <= 1) return this.first[cell]! < 0 ? [] : [this.first[cell]!];
    const found: number[] = [];
    this.cell.forEach((c, point) => c === cell && found.push(point));
    return found;
  }

  field(quantity: Quantity): Field {
    const { columns, rows } = this;
    const values = new Float64Array(columns * rows).fill(NaN);
    if (!this.severalInACell) {
      this.first.forEach((point, cell) => point >= 0 && (values[cell] = quantity.at(point)));
    } else if (quantity.inWords) {
      const weight = quantity.words.map((word) => kGravity.indexOf(word));
      for (let point = 0; point < this.data.size; point++) {
        const cell = this.cell[point]!;
        if (cell < 0 || !quantity.has(point)) continue;
        const word = quantity.at(point);
        if (Number.isNaN(values[cell]!) || weight[word]! > weight[values[cell]!]!) values[cell] = word;
      }
    } else {
      const count = new Uint32Array(values.length);
      for (let point = 0; point < this.data.size; point++) {
        const cell = this.cell[point]!;
        if (cell < 0 || !quantity.has(point)) continue;
        values[cell] = (count[cell]!++ > 0 ? values[cell]! : 0) + quantity.at(point);
      }
      count.forEach((n, cell) => n > 0 && (values[cell]! /= n));
    }
    return { values, columns, rows };
  }

  // Least and largest of a cell.
  extremes(quantity: Quantity): { low: Float64Array; high: Float64Array } {
    const low = new Float64Array(this.columns * this.rows).fill(NaN);
    const high = low.slice();
    for (let point = 0; point < this.data.size; point++) {
      const cell = this.cell[point]!;
      if (cell < 0 || !quantity.has(point)) continue;
      const value = quantity.at(point);
      if (!(low[cell]! <= value)) low[cell] = value;
      if (!(high[cell]! >= value)) high[cell] = value;
    }
    return { low, high };
  }

  countOf(status: typeof kFailed | typeof kInferred): number {
    let count = 0;
    this.cell.forEach((cell, point) => cell >= 0 && this.data.status[point] === status && count++);
    return count;
  }
}
