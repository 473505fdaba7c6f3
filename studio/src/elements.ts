// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { Color, CylinderGeometry, Group, type InstancedMesh, Matrix4, TorusGeometry } from "three";
import { instances, overlay, upright } from "./marks";
import type { Recording } from "./recording";
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

// The frames of what holds bodies at a place: an axis is red where the element forbids the motion along it and green where it allows
// it, with a ring where it forbids the rotation about it; none while the element is not there.
export class Elements {
  readonly group = new Group();
  private readonly axes: Mark[];
  private readonly rings: Mark[];
  private readonly axisMesh: InstancedMesh;
  private readonly ringMesh: InstancedMesh;

  constructor(
    private readonly recording: Recording,
    size: number,
  ) {
    const { elements } = recording.data;
    const marksOf = (of: "along" | "about"): Mark[] =>
      elements.flatMap((data, element) => data[of].map((forbidden, axis) => ({ element, axis, forbidden })));
    this.axes = marksOf("along");
    this.rings = marksOf("about").filter((mark) => mark.forbidden);
    const length = 0.08 * size;
    const width = 0.004 * size;
    const material = overlay();
    this.axisMesh = instances(upright(new CylinderGeometry(width, width, length, 8), length / 2), material, this.axes.length);
    const ring = new TorusGeometry(0.17 * length, 0.6 * width, 6, 24).translate(0, 0, 0.7 * length);
    this.ringMesh = instances(ring, material, this.rings.length);
    this.group.add(this.ringMesh, this.axisMesh);
    this.paint();
  }

  update(poses: readonly Matrix4[], time: number): void {
    const apart = this.recording.data.elements.map((element) => element.apart.some(([from, to]) => from <= time && time <= to));
    const matrix = new Matrix4();
    const nowhere = new Matrix4().makeScale(0, 0, 0);
    for (const [mesh, marks] of [
      [this.axisMesh, this.axes],
      [this.ringMesh, this.rings],
    ] as const) {
      marks.forEach(({ element, axis }, i) =>
        mesh.setMatrixAt(i, apart[element] ? nowhere : matrix.multiplyMatrices(poses[element]!, kFromZ[axis]!)),
      );
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  paint(): void {
    const [forbidden, allowed] = [new Color(cssColor("bad")), new Color(cssColor("good"))];
    this.axes.forEach((mark, i) => this.axisMesh.setColorAt(i, mark.forbidden ? forbidden : allowed));
    this.rings.forEach((_, i) => this.ringMesh.setColorAt(i, forbidden));
    for (const { instanceColor } of [this.axisMesh, this.ringMesh]) if (instanceColor) instanceColor.needsUpdate = true;
  }
}
