// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, type MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { instances, overlay, upright } from "./marks";
import type { Instant, Recording, Series } from "./recording";
import { VectorTrack } from "./recording";
import { cssColor } from "./theme";

// Where everything stands at the moment that is drawn.
export interface Scenery {
  bodies: readonly Matrix4[];
  environment: readonly Matrix4[];
  elements: readonly Matrix4[];
}

// A force or a moment on a body.
export interface ArrowSource {
  body: number; // -1: of none
  place: (scenery: Scenery, result: Vector3) => void;
  vector: (instant: Instant, result: Vector3, scenery: Scenery) => void;
  magnitudes: () => number[]; // over the run
}

// Arrows of one kind, shown and hidden together. Moments have two heads. A few peaks do not set the scale: arrows beyond are cut.
export class Arrows {
  readonly group = new Group();
  readonly usual: number; // what the longest arrow stands for where nothing else is shown
  readonly largest: number;
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly material: MeshBasicMaterial = overlay();
  private readonly headCount: number;

  constructor(
    readonly name: string,
    readonly isMoment: boolean,
    private readonly color: string, // of the scheme
    private readonly sources: readonly ArrowSource[],
    private readonly size: number, // radius of the machine
  ) {
    const magnitudes = sources.flatMap((source) => source.magnitudes().filter((f) => f > 0)).sort((a, b) => a - b);
    this.largest = magnitudes.at(-1) ?? 0;
    const high = magnitudes[Math.floor(0.98 * (magnitudes.length - 1))] ?? 0;
    this.usual = this.largest > 1.5 * high ? high : this.largest;
    this.headCount = isMoment ? 2 : 1;
    const width = 0.004 * size;
    this.shafts = instances(upright(new CylinderGeometry(width, width, 1, 10), 0.5), this.material, sources.length);
    this.heads = instances(upright(new ConeGeometry(0.32, 1, 16), -0.5), this.material, this.headCount * sources.length);
    this.group.add(this.shafts, this.heads);
    this.paint();
  }

  get visible(): boolean {
    return this.group.visible;
  }

  // `scale`: what the longest arrow stands for; `hidden`: bodies that are not shown.
  update(instant: Instant, scenery: Scenery, scale: number, hidden: ReadonlySet<number>): void {
    if (!this.visible) return;
    const longest = 0.4 * this.size;
    const z = new Vector3(0, 0, 1);
    const [from, along, stretch, turn, matrix] = [new Vector3(), new Vector3(), new Vector3(), new Quaternion(), new Matrix4()];
    this.sources.forEach((source, i) => {
      source.place(scenery, from);
      source.vector(instant, along, scenery);
      const length = scale > 0 && !hidden.has(source.body) ? longest * Math.min(along.length() / scale, 1) : 0;
      const head = Math.min(0.05 * this.size, 0.5 * length);
      turn.setFromUnitVectors(z, length > 0 ? along.normalize() : z);
      this.shafts.setMatrixAt(i, matrix.compose(from, turn, stretch.set(1, 1, Math.max(length - head, 0))));
      from.addScaledVector(along, length);
      stretch.setScalar(head);
      for (let k = 0; k < this.headCount; k++) {
        this.heads.setMatrixAt(this.headCount * i + k, matrix.compose(from, turn, stretch));
        from.addScaledVector(along, -0.7 * head);
      }
    });
    for (const mesh of [this.shafts, this.heads]) mesh.instanceMatrix.needsUpdate = true;
  }

  paint(): void {
    this.material.color.set(cssColor(this.color));
  }
}

const track = (text: string): Pick<ArrowSource, "vector" | "magnitudes"> => {
  const values = new VectorTrack(text);
  return { vector: (instant, result) => values.vectorAt(instant, result), magnitudes: () => values.magnitudes() };
};

// Of what holds bodies at places, on these bodies.
export const elementForces = ({ data }: Recording): ArrowSource[] =>
  data.elements.map(({ forces }, i) => ({
    body: -1,
    place: ({ elements }, result) => result.setFromMatrixPosition(elements[i]!),
    ...track(forces),
  }));

// Of what is given to bodies: drives, loads.
export const givenForces = ({ data }: Recording, group: string, moment: boolean): ArrowSource[] =>
  data.arrows
    .filter((arrow) => arrow.group === group && arrow.moment === moment)
    .map(({ body, point, vectors }) => ({
      body,
      place: ({ bodies }, result) => result.set(...point).applyMatrix4(bodies[body]!),
      ...track(vectors),
    }));

// Of joints on the bodies they carry, at the poles: three curves each.
export function jointReactions(recording: Recording, part: "force" | "moment"): ArrowSource[] {
  const byName = new Map(recording.series.map((series) => [series.name, series]));
  return recording.data.bodies.flatMap(({ name }, body) => {
    const parts = ["x", "y", "z"].map((axis) => byName.get(`${name}.${part}.${axis}`));
    if (!parts.every((series): series is Series => series !== undefined)) return [];
    const [x, y, z] = parts as [Series, Series, Series];
    return {
      body,
      place: ({ bodies }: Scenery, result: Vector3) => result.setFromMatrixPosition(bodies[body]!),
      vector: (instant: Instant, result: Vector3) => result.set(x.at(instant), y.at(instant), z.at(instant)),
      magnitudes: () => Array.from(x.values, (value, i) => Math.hypot(value, y.values[i]!, z.values[i]!)),
    };
  });
}
