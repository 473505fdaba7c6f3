// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { BufferAttribute, BufferGeometry, Group, Line, LineDashedMaterial } from "three";
import { decodeFloat32, type PathDocument } from "./document";
import { cssColor } from "./theme";

// Paths that were not taken, dashed: where a body would have gone without slip.
export class Paths {
  readonly group = new Group();
  private readonly material: LineDashedMaterial;

  constructor(paths: readonly PathDocument[], radius: number) {
    this.material = new LineDashedMaterial({ dashSize: 0.025 * radius, gapSize: 0.018 * radius, transparent: true, opacity: 0.75 });
    for (const path of paths) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(decodeFloat32(path.points), 3));
      const line = new Line(geometry, this.material);
      line.computeLineDistances();
      line.frustumCulled = false;
      line.name = path.name;
      this.group.add(line);
    }
    this.paint();
  }

  paint(): void {
    this.material.color.set(cssColor("line"));
  }
}
