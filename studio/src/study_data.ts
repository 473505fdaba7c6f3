// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { decodeBytes, decodeFloat32, decodeFloat64 } from "./document";
import { kVerdictWords } from "./words";
import type { StatisticsDocument, StudyDocument, StudyParameterDocument, StudyQuantityDocument } from "./study_document";

export const kDone = 0;
export const kFailed = 1;
export const kInferred = 2;

// What varies: on levels, or freely.
export class Parameter {
  readonly name: string;
  readonly unit: string;
  readonly how: string;
  readonly random: boolean;
  readonly levels: Float64Array | undefined;
  readonly index: Uint16Array | undefined;
  private readonly free: Float64Array | undefined;

  constructor(document: StudyParameterDocument) {
    ({ name: this.name, unit: this.unit, how: this.how, random: this.random } = document);
    if (document.levels !== undefined && document.index !== undefined) {
      this.levels = decodeFloat64(document.levels);
      this.index = new Uint16Array(decodeBytes(document.index));
    } else {
      this.free = decodeFloat64(document.values ?? "");
    }
  }

  at(point: number): number {
    return this.levels ? this.levels[this.index![point]!]! : this.free![point]!;
  }
}

// What was collected: numbers or words.
export class Quantity {
  readonly name: string;
  readonly path: string;
  readonly unit: string;
  readonly words: string[];
  readonly word: Uint16Array;
  readonly numbers: Float64Array | Float32Array;

  constructor(
    document: StudyQuantityDocument,
    readonly statistics: StatisticsDocument,
  ) {
    ({ name: this.name, path: this.path, unit: this.unit } = document);
    this.words = document.words ?? [];
    this.word = new Uint16Array(decodeBytes(document.words ? (document.index ?? "") : ""));
    this.numbers = document.short !== undefined ? decodeFloat32(document.short) : decodeFloat64(document.values ?? "");
  }

  get inWords(): boolean {
    return this.words.length > 0;
  }

  get isVerdict(): boolean {
    return this.inWords && this.words.every((word) => (kVerdictWords as readonly string[]).includes(word));
  }

  // What there is, divided by what is needed: the idealisation holds above 1.
  get isMargin(): boolean {
    return !this.inWords && (/(^|\.)margin$/.test(this.path) || /margin$/.test(this.name));
  }

  // A number for every point, NaN where there is none; words by their number from 0.
  at(point: number): number {
    if (!this.inWords) return this.numbers[point]!;
    const word = this.word[point]!;
    return word > 0 ? word - 1 : NaN;
  }

  has(point: number): boolean {
    return !Number.isNaN(this.at(point));
  }

  wordAt(point: number): string | undefined {
    return this.words[this.word[point]! - 1];
  }
}

// All that the page knows of a study.
export class StudyData {
  readonly size: number;
  readonly parameters: Parameter[];
  readonly quantities: Quantity[];
  readonly status: Uint8Array;
  readonly counts = [0, 0, 0]; // by status
  private readonly numbers: Uint32Array | undefined;
  private readonly failureOf = new Map<number, number>();

  constructor(readonly document: StudyDocument) {
    this.size = document.points.shown;
    this.parameters = document.parameters.map((parameter) => new Parameter(parameter));
    this.quantities = document.quantities.map(
      (quantity) => new Quantity(quantity, document.statistics[quantity.name] ?? { sensitivity: { method: "none" } }),
    );
    this.status = document.status === undefined ? new Uint8Array(this.size) : new Uint8Array(decodeBytes(document.status));
    for (const status of this.status) this.counts[status]!++;
    if (document.points.numbers !== undefined) this.numbers = new Uint32Array(decodeBytes(document.points.numbers));
    const at = new Uint32Array(decodeBytes(document.failures.points));
    const text = new Uint32Array(decodeBytes(document.failures.text));
    at.forEach((point, i) => this.failureOf.set(point, text[i]!));
  }

  get isRandom(): boolean {
    return this.parameters.some(({ random }) => random);
  }

  // Its number in the store.
  numberOf(point: number): number {
    return this.numbers ? this.numbers[point]! : point;
  }

  failure(point: number): { code: string; message: string } | undefined {
    const text = this.failureOf.get(point);
    return text === undefined ? undefined : this.document.failures.texts[text];
  }

  // The margin of a verdict, and the verdict of a margin: those collected from the same place, or, if there is only one, that one.
  partner(quantity: Quantity): Quantity | undefined {
    const wanted = quantity.isVerdict ? (q: Quantity): boolean => q.isMargin : (q: Quantity): boolean => q.isVerdict;
    const place = ({ path }: Quantity): string => path.replace(/\.(margin|verdict)$/, "");
    const candidates = this.quantities.filter(wanted);
    const same = candidates.find((candidate) => candidate.path && place(candidate) === place(quantity));
    if (same) return same;
    const mine = this.quantities.filter((q) => (quantity.isVerdict ? q.isVerdict : q.isMargin));
    return candidates.length === 1 && (mine.length === 1 || !quantity.isMargin) ? candidates[0] : undefined;
  }

  // What to type to get this point again. A parameter named in the options stands there, the others are set.
  command(point: number): string {
    const { command, model, options } = this.document.run;
    let rest = options;
    const set: string[] = [];
    for (const parameter of this.parameters) {
      const value = String(parameter.at(point));
      const place = `{${parameter.name}}`;
      if (rest.includes(place)) rest = rest.replaceAll(place, value);
      else set.push("--set", quoted(`${parameter.name}=${value}`));
    }
    return ["vinculum", command, quoted(model), ...set, ...(rest ? [rest] : [])].join(" ");
  }
}

const quoted = (text: string): string => (/^[\w./=+:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
