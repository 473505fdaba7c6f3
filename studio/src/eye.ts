// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Framing, View } from "./framing";

const kOpening = 28; // of the perspective camera, degrees

// The reader's eye: one place and direction, seen in perspective or, so that lengths can be compared, without it.
export class Eye {
  private readonly perspective = new PerspectiveCamera(kOpening, 1, 0.01, 100);
  private readonly parallel = new OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
  private readonly controls: OrbitControls;
  private halfHeight = 1; // of what the parallel camera sees
  private aspect = 1;
  moved = false; // by the reader

  constructor(
    canvas: HTMLElement,
    private readonly framing: Framing,
    changed: () => void,
  ) {
    for (const camera of [this.perspective, this.parallel]) camera.up.copy(framing.up);
    this.controls = new OrbitControls(this.perspective, canvas);
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => (this.moved = true));
  }

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.isParallel ? this.parallel : this.perspective;
  }

  get isParallel(): boolean {
    return this.controls.object === this.parallel;
  }

  get target(): Vector3 {
    return this.controls.target;
  }

  // From where it looks.
  get direction(): Vector3 {
    return this.camera.position.clone().sub(this.target).normalize();
  }

  setParallel(on: boolean): void {
    if (on === this.isParallel) return;
    const [from, to] = on ? [this.perspective, this.parallel] : [this.parallel, this.perspective];
    const tangent = Math.tan((kOpening * Math.PI) / 360);
    const away = from.position.clone().sub(this.target);
    if (on) {
      this.halfHeight = away.length() * tangent;
      this.parallel.zoom = 1;
    } else {
      away.setLength(this.halfHeight / this.parallel.zoom / tangent);
    }
    to.position.copy(this.target).add(away);
    this.controls.object = to;
    this.reshape();
    this.controls.update();
  }

  resize(aspect: number): void {
    this.aspect = aspect;
    this.reshape();
  }

  // Puts the eye where it sees what a view shows.
  show(view: View): void {
    this.moved = false;
    const tangent = Math.tan((kOpening * Math.PI) / 360);
    const seen = this.framing.see(view, tangent, this.aspect);
    this.target.copy(seen.target);
    this.halfHeight = seen.halfHeight;
    this.parallel.zoom = 1;
    this.perspective.position.copy(seen.position);
    this.parallel.position.copy(seen.position).addScaledVector(view.direction, this.framing.radius);
    this.reshape();
    this.controls.update();
  }

  // Looks at another point, from the same side.
  lookAt(point: Vector3): void {
    this.moved = true;
    this.shift(point.clone().sub(this.target));
  }

  shift(by: Vector3): void {
    this.camera.position.add(by);
    this.target.add(by);
    this.controls.update();
  }

  private reshape(): void {
    const { radius } = this.framing;
    const distance = this.camera.position.distanceTo(this.target);
    const far = 40 * (radius + distance);
    Object.assign(this.perspective, { aspect: this.aspect, near: Math.max(0.2 * this.framing.machine, distance) / 400, far });
    const half = this.halfHeight;
    Object.assign(this.parallel, { left: -half * this.aspect, right: half * this.aspect, top: half, bottom: -half, near: -far, far });
    this.perspective.updateProjectionMatrix();
    this.parallel.updateProjectionMatrix();
  }
}
