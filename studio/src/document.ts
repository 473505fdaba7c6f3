// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// The data document that vinculum/page/report.cc writes into the page. Numbers in SI; quaternions w x y z; arrays of numbers as
// base64 of their little-endian bytes.
import type { StudyDocument } from "./study_document";
import type { Holds } from "./words";

export type Triple = [number, number, number];
export type Quadruple = [number, number, number, number];

export type Role = "shape" | "inertia" | "rod" | "joint";

export interface ShapeDocument {
  form: "box" | "cylinder" | "sphere" | "capsule" | "mesh";
  role: Role;
  size: number[]; // box: three sides; cylinder, capsule: radius, length (axis z); sphere: radius; mesh: index, scale
  position?: Triple;
  orientation?: Quadruple;
  color?: string;
}

export interface BodyDocument {
  name: string;
  parent: number; // -1: the world
  mass: number;
  com: Triple;
  shapes: ShapeDocument[];
  poses: string; // Float32: px py pz qw qx qy qz a sample; a single one if the body rests
}

export interface SurfaceDocument {
  x: [number, number];
  y: [number, number];
  columns: number;
  rows: number;
  heights: string; // Float32, x fastest; NaN where the surface has no height
}

export interface EnvironmentDocument {
  name: string;
  surface?: SurfaceDocument;
  poses: string;
}

export interface EndDocument {
  on: "world" | "body" | "environment";
  index: number;
  point: Triple;
}

export interface LineDocument {
  kind: "string" | "spring";
  name: string;
  ends: [EndDocument, EndDocument];
  length?: number; // of a string
  tension?: string; // Float64 [N], a sample; a spring that is pressed: negative
}

// What holds a body at a place.
export interface ElementDocument {
  name: string;
  along: boolean[]; // which motions it forbids, along and about the axes of its frame
  about: boolean[];
  frames: string; // as poses: its point and its axes
  largest: number; // force, over all samples of the run
  forces: string; // Float32: x y z a sample, on its body, world axes
  apart: [number, number][]; // times from and to: it is not there
}

export interface PathDocument {
  name: string;
  points: string; // Float32: x y z a sample
}

export interface GripDocument {
  name: string;
  unit: string; // "": force beside normal force
  bound: number; // 0: none is known
  lateral: string; // Float64
  forward: string; // Float64; "": a single row
}

// A force or moment that is given to a body.
export interface ArrowDocument {
  group: string; // those that are shown and hidden together
  name: string;
  body: number;
  point: Triple; // in the body
  moment: boolean; // [N*m], else [N]
  largest: number; // over all samples of the run
  vectors: string; // Float32: x y z a sample, world axes
}

export interface SeriesDocument {
  group: string;
  name: string;
  unit: string;
  largest: number; // magnitude, over all samples of the run
  values: string; // Float64
}

export interface VerdictDocument {
  subject: string;
  verdict: Holds;
  margin: number | null;
  first_violation: number | null;
  why: string;
  hint?: string; // what to do
  term?: string; // what textbooks call it
}

// Up to hundreds of thousands: names once, then for each its time and the number of its name.
export interface EventsDocument {
  total: number; // of the run
  names: string[];
  times: string; // Float64
  which: string; // Float32
}

// A pair of faces of a guide; its load is the series of its name.
export interface GuideDocument {
  name: string;
  work: [number, number]; // of friction on face1 and face2 [J]
}

// How the bodies stand on each other, for a page whose sliders move them: links, parents first, with z along their axes.
export interface LinkDocument {
  parent: number; // -1: the world
  kind: "fixed" | "revolute" | "prismatic" | "screw" | "spherical" | "free";
  position: Triple; // at zero displacement, in the base
  orientation: Quadruple;
  pitch: number; // [m/rad]
  q: number; // its first coordinate
}

export interface CoordinateDocument {
  name: string;
  unit: string;
  value: number;
  lower?: number; // its limits
  upper?: number;
  given: boolean; // its motion is a law of time
}

export interface KinematicsDocument {
  links: LinkDocument[];
  bodies: { link: number; orientation: Quadruple }[]; // axes of the body in its link's
  coordinates: CoordinateDocument[];
  rows: number; // conditions that sliders do not keep
}

export interface EndOfRunDocument {
  state: "complete" | "stopped at event" | "interrupted" | "failed";
  reason: string; // of a failure
  at: number;
  asked: number; // the end that was asked for
}

export interface ReportDocument {
  format: 1;
  title: string;
  end: EndOfRunDocument;
  facts: { name: string; value: string }[];
  warnings: string[];
  samples: { shown: number; total: number };
  gravity: Triple;
  times: string; // Float64
  world: ShapeDocument[];
  bodies: BodyDocument[];
  environment: EnvironmentDocument[];
  lines: LineDocument[];
  elements: ElementDocument[];
  paths: PathDocument[];
  grips: GripDocument[];
  arrows: ArrowDocument[];
  meshes: string[]; // Float32: nine numbers a triangle
  series: SeriesDocument[];
  verdicts: VerdictDocument[];
  events: EventsDocument;
  guides: GuideDocument[];
  kinematics?: KinematicsDocument; // there is no motion but what sliders make
  beside?: ReportDocument; // a second run, laid over the first
}

export function decodeBytes(text: string): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

export const decodeFloat32 = (text: string): Float32Array => new Float32Array(decodeBytes(text));
export const decodeFloat64 = (text: string): Float64Array => new Float64Array(decodeBytes(text));

export function readDocument(): ReportDocument | StudyDocument {
  const text = document.getElementById("vinculum-data")?.textContent;
  if (!text) throw new Error("this page holds no data");
  const data = JSON.parse(text) as ReportDocument | StudyDocument;
  if (data.format !== 1) throw new Error(`this page cannot read data of format ${String(data.format)}`);
  return data;
}
