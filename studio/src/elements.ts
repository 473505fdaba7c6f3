// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import {
  type BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  TorusGeometry,
  Vector3,
} from "three";
import type { Instant, Recording } from "./recording";
import { cssColor } from "./theme";

// z goes to x, y, z.
const kFromZ = [
  new Matrix4().set(0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1),
  new Matrix4().set(0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1),
  new Matrix4(),
];

interface Mark {
  element: number;
  axis: number;
  forbidden: boolean;
}

// The elements of a run that hold bodies at a place. Frames: an axis is red where the element forbids the motion along it and green
// where it allows it, with a ring where it forbids the rotation about it; none while the element is not there. Forces on the bodies:
// arrows from the points of the elements, all to one scale. A few peaks do not set it: arrows beyond are cut.
export class Elements {
  readonly frames = new Group();
  readonly forces = new Group();
  readonly largest: number; // force [N]
  readonly scale: number; // force [N], drawn as the longest arrow
  private readonly axes: Mark[];
  private readonly rings: Mark[];
  private readonly axisMesh: InstancedMesh;
  private readonly ringMesh: InstancedMesh;
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly arrowMaterial = overlay();
  private readonly longest: number;
  private readonly headLength: number;
  private readonly poses: Matrix4[];

  constructor(
    private readonly recording: Recording,
    radius: number,
  ) {
    const { elements } = recording.data;
    const marksOf = (of: "along" | "about"): Mark[] =>
      elements.flatMap((data, element) => data[of].map((forbidden, axis) => ({ element, axis, forbidden })));
    this.poses = elements.map(() => new Matrix4());
    this.axes = marksOf("along");
    this.rings = marksOf("about").filter((mark) => mark.forbidden);
    const length = 0.08 * radius;
    const width = 0.004 * radius;
    const markMaterial = overlay();
    this.axisMesh = instances(upright(new CylinderGeometry(width, width, length, 8), length / 2), markMaterial, this.axes.length);
    this.ringMesh = instances(
      new TorusGeometry(0.17 * length, 0.6 * width, 6, 24).translate(0, 0, 0.7 * length),
      markMaterial,
      this.rings.length,
    );
    this.frames.add(this.ringMesh, this.axisMesh);

    this.largest = Math.max(0, ...elements.map((element) => element.largest));
    const usual = quantile(recording.elements.flatMap(({ force }) => force.magnitudes().filter((f) => f > 0)), 0.98);
    this.scale = this.largest > 1.5 * usual ? usual : this.largest;
    this.longest = 0.4 * radius;
    this.headLength = 0.05 * radius;
    this.shafts = instances(upright(new CylinderGeometry(width, width, 1, 10), 0.5), this.arrowMaterial, elements.length);
    this.heads = instances(upright(new ConeGeometry(0.32, 1, 16), -0.5), this.arrowMaterial, elements.length);
    this.forces.add(this.shafts, this.heads);
    this.paint();
  }

  update(instant: Instant, time: number): void {
    this.recording.elements.forEach(({ frame }, i) => frame.matrixAt(instant, this.poses[i]!));
    const apart = this.recording.data.elements.map((element) => element.apart.some(([from, to]) => from <= time && time <= to));
    const matrix = new Matrix4();
    const nowhere = new Matrix4().makeScale(0, 0, 0);
    for (const [mesh, marks] of [
      [this.axisMesh, this.axes],
      [this.ringMesh, this.rings],
    ] as const) {
      marks.forEach(({ element, axis }, i) =>
        mesh.setMatrixAt(i, apart[element] ? nowhere : matrix.multiplyMatrices(this.poses[element]!, kFromZ[axis]!)),
      );
      mesh.instanceMatrix.needsUpdate = true;
    }

    const z = new Vector3(0, 0, 1);
    const [from, along, scale, turn] = [new Vector3(), new Vector3(), new Vector3(), new Quaternion()];
    this.recording.elements.forEach(({ force }, i) => {
      force.vectorAt(instant, along);
      const length = this.scale > 0 ? this.longest * Math.min(along.length() / this.scale, 1) : 0;
      const head = Math.min(this.headLength, 0.5 * length);
      turn.setFromUnitVectors(z, length > 0 ? along.normalize() : z);
      from.setFromMatrixPosition(this.poses[i]!);
      this.shafts.setMatrixAt(i, matrix.compose(from, turn, scale.set(1, 1, length - head)));
      this.heads.setMatrixAt(i, matrix.compose(from.addScaledVector(along, length), turn, scale.setScalar(head)));
    });
    for (const mesh of [this.shafts, this.heads]) mesh.instanceMatrix.needsUpdate = true;
  }

  paint(): void {
    const [forbidden, allowed] = [new Color(cssColor("bad")), new Color(cssColor("good"))];
    this.axes.forEach((mark, i) => this.axisMesh.setColorAt(i, mark.forbidden ? forbidden : allowed));
    this.rings.forEach((_, i) => this.ringMesh.setColorAt(i, forbidden));
    for (const { instanceColor } of [this.axisMesh, this.ringMesh]) if (instanceColor) instanceColor.needsUpdate = true;
    this.arrowMaterial.color.set(cssColor("force"));
  }
}

function quantile(values: number[], part: number): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
}

// Seen through the bodies: the elements lie between them.
const overlay = (): MeshBasicMaterial => new MeshBasicMaterial({ depthTest: false, transparent: true });

// A cylinder or a cone along z, its middle at a height.
const upright = (geometry: BufferGeometry, middle: number): BufferGeometry =>
  geometry.rotateX(Math.PI / 2).translate(0, 0, middle);

function instances(geometry: BufferGeometry, material: MeshBasicMaterial, count: number): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, count);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.visible = count > 0;
  mesh.frustumCulled = false;
  mesh.renderOrder = 2;
  return mesh;
}
