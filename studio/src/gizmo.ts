// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { type Camera, Quaternion, Vector3 } from "three";
import type { Triple } from "./document";
import { kAxisColors } from "./ground";

const kReach = 30;
const kMiddle = 48;
const kNamespace = "http://www.w3.org/2000/svg";

// The world's axes and the direction of gravity as the camera sees them, in a corner of the scene.
export class Gizmo {
  readonly node = document.createElementNS(kNamespace, "svg");
  private readonly arms: { direction: Vector3; line: SVGLineElement; text: SVGTextElement; node: SVGGElement }[] = [];
  private readonly turn = new Quaternion();
  private readonly seen = new Vector3();

  constructor(gravity: Triple) {
    this.node.setAttribute("viewBox", `0 0 ${2 * kMiddle} ${2 * kMiddle}`);
    this.node.setAttribute("class", "gizmo");
    this.node.setAttribute("aria-hidden", "true");
    const units = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
    units.forEach((direction, i) => this.arm(direction, "xyz"[i]!, kAxisColors[i]!));
    const g = new Vector3(...gravity);
    if (g.length() > 0) this.arm(g.normalize(), "g", "currentColor");
  }

  update(camera: Camera): void {
    this.turn.copy(camera.quaternion).invert();
    for (const { direction, line, text, node } of this.arms) {
      this.seen.copy(direction).applyQuaternion(this.turn);
      const [x, y] = [kMiddle + kReach * this.seen.x, kMiddle - kReach * this.seen.y];
      line.setAttribute("x2", x.toFixed(1));
      line.setAttribute("y2", y.toFixed(1));
      text.setAttribute("x", (kMiddle + (kReach + 8) * this.seen.x).toFixed(1));
      text.setAttribute("y", (kMiddle - (kReach + 8) * this.seen.y).toFixed(1));
      node.setAttribute("opacity", (0.72 + 0.28 * this.seen.z).toFixed(2));
    }
  }

  private arm(direction: Vector3, name: string, color: string): void {
    const node = document.createElementNS(kNamespace, "g");
    const line = document.createElementNS(kNamespace, "line");
    const text = document.createElementNS(kNamespace, "text");
    line.setAttribute("x1", String(kMiddle));
    line.setAttribute("y1", String(kMiddle));
    line.setAttribute("stroke", color);
    if (name === "g") line.setAttribute("stroke-dasharray", "3 3");
    text.setAttribute("fill", color);
    text.textContent = name;
    node.append(line, text);
    this.node.append(node);
    this.arms.push({ direction, line, text, node });
  }
}
