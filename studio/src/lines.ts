// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import {
  type BufferGeometry,
  Curve,
  CylinderGeometry,
  Group,
  type Matrix4,
  Mesh,
  MeshStandardMaterial,
  TubeGeometry,
  Vector3,
} from "three";
import type { EndDocument, LineDocument } from "./document";
import { cssColor } from "./theme";

const kTurns = 9;

class Coil extends Curve<Vector3> {
  constructor(
    private readonly radius: number,
    private readonly length: number,
  ) {
    super();
  }

  // Straight for a tenth of the length at both ends.
  override getPoint(s: number, result = new Vector3()): Vector3 {
    const inside = Math.min(Math.max((s - 0.1) / 0.8, 0), 1);
    const reach = this.radius * Math.min(1, 12 * Math.min(inside, 1 - inside));
    const angle = 2 * Math.PI * kTurns * inside;
    return result.set(reach * Math.cos(angle), reach * Math.sin(angle), s * this.length);
  }
}

// Strings and springs between points of bodies.
export class Lines {
  readonly group = new Group();
  private readonly drawn: { mesh: Mesh; length: number }[] = [];
  private readonly material = new MeshStandardMaterial({ roughness: 0.5, metalness: 0.2 });
  private readonly from = new Vector3();
  private readonly to = new Vector3();

  constructor(
    private readonly lines: readonly LineDocument[],
    private readonly radius: number,
  ) {
    this.paint();
  }

  update(bodies: readonly Matrix4[], environment: readonly Matrix4[]): void {
    const place = (end: EndDocument, result: Vector3): Vector3 => {
      result.set(...end.point);
      const pose = end.on === "body" ? bodies[end.index] : end.on === "environment" ? environment[end.index] : undefined;
      return pose ? result.applyMatrix4(pose) : result;
    };
    const z = new Vector3(0, 0, 1);
    this.lines.forEach((line, index) => {
      place(line.ends[0], this.from);
      place(line.ends[1], this.to).sub(this.from);
      const length = this.to.length();
      // Made at the length it has when it is first seen, then stretched.
      const { mesh, length: natural } = (this.drawn[index] ??= this.make(line, Math.max(length, 1e-3 * this.radius)));
      mesh.position.copy(this.from);
      mesh.quaternion.setFromUnitVectors(z, length > 0 ? this.to.divideScalar(length) : z);
      mesh.scale.z = Math.max(length, 1e-9) / natural;
    });
  }

  paint(): void {
    this.material.color.set(cssColor("line"));
  }

  private make(line: LineDocument, length: number): { mesh: Mesh; length: number } {
    const thread = 0.0035 * this.radius;
    const geometry: BufferGeometry =
      line.kind === "spring"
        ? new TubeGeometry(new Coil(0.022 * this.radius, length), 24 * kTurns, thread, 6)
        : new CylinderGeometry(thread, thread, length, 8).rotateX(Math.PI / 2).translate(0, 0, length / 2);
    const mesh = new Mesh(geometry, this.material);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    this.group.add(mesh);
    return { mesh, length };
  }
}
