// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { Matrix4, Vector3 } from "three";
import type { Bodies } from "./bodies";
import type { Recording } from "./recording";

const kMostCorners = 60000;
const kNearFloor = 5; // radii of the motion: as far as the grid is drawn
const kFarTravel = 3.5; // times its own size: then the machine would be lost in a view of its whole path

// What to see, and from where: the whole motion, or the machine and its surroundings at a place.
export interface View {
  direction: Vector3;
  around?: Vector3;
}

// The room a motion takes: points that every view of it must contain. A machine that travels is much smaller than its path: marks and
// arrows are drawn to the measure of the machine.
export class Framing {
  private readonly points: Float32Array;
  readonly center = new Vector3();
  readonly radius: number;
  readonly machine: number; // radius of what moves, at a moment
  readonly level: number; // of the floor, along up: through the world's origin, z = 0

  constructor(
    recording: Recording,
    bodies: Bodies,
    readonly up: Vector3,
  ) {
    const poses = recording.bodies.map(() => new Matrix4());
    const pose = new Matrix4();
    const at = new Vector3();
    const points: number[] = [];
    // What strings hang on is part of the picture.
    const hooks = recording.data.lines
      .filter((line) => line.kind === "string")
      .flatMap((line) => line.ends.filter((end) => end.on !== "body"));
    const sizes: number[] = [];
    const [least, most] = [new Vector3(), new Vector3()];
    const visitAll = (count: number): void => {
      for (const instant of recording.spread(count)) {
        recording.bodies.forEach((track, body) => track.matrixAt(instant, poses[body]!));
        least.setScalar(Infinity);
        most.setScalar(-Infinity);
        bodies.forEachCorner(poses, (corner, body) => {
          points.push(corner.x, corner.y, corner.z);
          if (body < 0) return;
          least.min(corner);
          most.max(corner);
        });
        if (least.x <= most.x) sizes.push(0.5 * least.distanceTo(most));
        for (const hook of hooks) {
          at.set(...hook.point);
          if (hook.on === "environment") at.applyMatrix4(recording.environment[hook.index]!.matrixAt(instant, pose));
          points.push(...at);
        }
        for (const { frame } of recording.elements) points.push(...at.setFromMatrixPosition(frame.matrixAt(instant, pose)));
      }
    };
    visitAll(1);
    const perInstant = Math.max(points.length / 3, 1);
    visitAll(Math.min(Math.max(Math.floor(kMostCorners / perInstant), 2), 240));
    if (points.length === 0) points.push(-1, -1, -1, 1, 1, 1);
    this.points = Float32Array.from(points);

    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = low.clone().negate();
    let level = Infinity;
    this.forEach((point) => {
      low.min(point);
      high.max(point);
      level = Math.min(level, point.dot(up));
    });
    this.center.addVectors(low, high).multiplyScalar(0.5);
    this.radius = Math.max(0.5 * low.distanceTo(high), 1e-6);
    const usual = sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0;
    this.machine = this.radius > kFarTravel * usual && usual > 1e-3 * this.radius ? 1.5 * usual : this.radius;
    // Far from there the floor would not be seen: then it is below the motion.
    this.level = Math.abs(this.center.dot(up)) < kNearFloor * this.radius ? 0 : level;
  }

  // Its path is much longer than itself.
  get travels(): boolean {
    return this.machine < this.radius;
  }

  // Front: along the world's y (or z, if that is vertical), with x to the right; side: from x; top: from above.
  standardDirection(name: "front" | "side" | "top" | "iso"): Vector3 {
    switch (name) {
      case "front":
        return this.looking(-90, 0);
      case "side":
        return this.looking(0, 0);
      case "top":
        return this.looking(-90, 89.9);
      case "iso":
        return this.looking(-45, 35.264);
    }
  }

  private looking(azimuth: number, elevation: number): Vector3 {
    const { up } = this;
    const x = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    x.addScaledVector(up, -x.dot(up)).normalize();
    const y = new Vector3().crossVectors(up, x);
    const [a, e] = [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180];
    return new Vector3()
      .addScaledVector(x, Math.cos(e) * Math.cos(a))
      .addScaledVector(y, Math.cos(e) * Math.sin(a))
      .addScaledVector(up, Math.sin(e));
  }

  // A direction from which to look: onto the plane of a flat motion, slightly turned; else from the front, right and above.
  viewDirection(): Vector3 {
    // Extent of the motion's shadow across each horizontal direction: the thinnest one is the normal of its plane.
    let thin = { azimuth: 0, extent: Infinity };
    let thick = 0;
    for (let azimuth = 0; azimuth < 180; azimuth += 5) {
      const extent = this.extentAlong(this.looking(azimuth, 0));
      if (extent < thin.extent) thin = { azimuth, extent };
      thick = Math.max(thick, extent);
    }
    const height = this.extentAlong(this.up);
    if (height < 0.2 * thick) return this.looking(-60, 50);
    if (thin.extent > 0.45 * thick) return this.looking(-60, 20);
    // Of the two sides, the one with x (or y) to the right.
    const normal = thin.azimuth <= 45 ? thin.azimuth : thin.azimuth - 180;
    return this.looking(normal + 20, 14);
  }

  // Where an eye is that has the whole view before it, with a margin: in perspective, half of whose height has this tangent, or
  // without, with half the height that it needs.
  see(view: View, tangent: number, aspect: number, margin = 1.12): { position: Vector3; target: Vector3; halfHeight: number } {
    const back = view.direction.clone().normalize();
    const right = new Vector3().crossVectors(this.up, back);
    if (right.lengthSq() < 1e-12) right.set(1, 0, 0);
    right.normalize();
    const above = new Vector3().crossVectors(back, right);
    const tanY = tangent / margin;
    const tanX = tanY * aspect;
    if (view.around) {
      const halfHeight = (1.45 * this.machine * margin) / Math.min(aspect, 1.4);
      return { position: view.around.clone().addScaledVector(back, halfHeight / tangent), target: view.around.clone(), halfHeight };
    }

    // A point (r, a, b) is seen from distance D if |r - r0| < (D - b) tanX: the planes r ± b tanX through the outermost points
    // meet in the eye. Likewise for a; the farther of the two eyes sees all.
    const most = { left: -Infinity, right: -Infinity, below: -Infinity, above: -Infinity };
    const low = new Vector3(Infinity, Infinity, 0);
    const high = low.clone().negate();
    const flat = new Vector3();
    this.forEach((point) => {
      const [r, a, b] = [point.dot(right), point.dot(above), point.dot(back)];
      flat.set(r, a, 0);
      low.min(flat);
      high.max(flat);
      most.right = Math.max(most.right, r + b * tanX);
      most.left = Math.max(most.left, -r + b * tanX);
      most.above = Math.max(most.above, a + b * tanY);
      most.below = Math.max(most.below, -a + b * tanY);
    });
    const distance = Math.max((most.right + most.left) / (2 * tanX), (most.above + most.below) / (2 * tanY));
    const middle = new Vector3()
      .addScaledVector(right, (most.right - most.left) / 2)
      .addScaledVector(above, (most.above - most.below) / 2);
    return {
      position: middle.clone().addScaledVector(back, distance),
      target: middle.addScaledVector(back, this.center.dot(back)),
      halfHeight: (margin * Math.max(high.y - low.y, (high.x - low.x) / aspect, 1e-3 * this.radius)) / 2,
    };
  }

  private extentAlong(direction: Vector3): number {
    let low = Infinity;
    let high = -Infinity;
    this.forEach((point) => {
      const s = point.dot(direction);
      low = Math.min(low, s);
      high = Math.max(high, s);
    });
    return high - low;
  }

  private forEach(visit: (point: Vector3) => void): void {
    const point = new Vector3();
    for (let i = 0; i < this.points.length; i += 3) visit(point.fromArray(this.points, i));
  }
}
