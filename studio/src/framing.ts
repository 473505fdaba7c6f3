// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { Matrix4, type PerspectiveCamera, Vector3 } from "three";
import type { Bodies } from "./bodies";
import type { Recording } from "./recording";

const kMostCorners = 60000;

// The room a motion takes: points that every view of it must contain.
export class Framing {
  private readonly points: Float32Array;
  readonly center = new Vector3();
  readonly radius: number;
  readonly level: number; // lowest point, along up

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
    const visitAll = (count: number): void => {
      for (const instant of recording.spread(count)) {
        recording.bodies.forEach((track, body) => track.matrixAt(instant, poses[body]!));
        bodies.forEachCorner(poses, (corner) => points.push(corner.x, corner.y, corner.z));
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
    this.level = level;
  }

  // A direction from which to look: onto the plane of a flat motion, slightly turned; else from the front, right and above.
  viewDirection(): Vector3 {
    const { up } = this;
    const x = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    x.addScaledVector(up, -x.dot(up)).normalize();
    const y = new Vector3().crossVectors(up, x);
    const looking = (azimuth: number, elevation: number): Vector3 =>
      new Vector3()
        .addScaledVector(x, Math.cos(elevation) * Math.cos(azimuth))
        .addScaledVector(y, Math.cos(elevation) * Math.sin(azimuth))
        .addScaledVector(up, Math.sin(elevation));

    // Extent of the motion's shadow across each horizontal direction: the thinnest one is the normal of its plane.
    const degree = Math.PI / 180;
    let thin = { azimuth: 0, extent: Infinity };
    let thick = 0;
    for (let azimuth = 0; azimuth < 180; azimuth += 5) {
      const extent = this.extentAlong(looking(azimuth * degree, 0));
      if (extent < thin.extent) thin = { azimuth, extent };
      thick = Math.max(thick, extent);
    }
    const height = this.extentAlong(up);
    if (height < 0.2 * thick) return looking(-60 * degree, 50 * degree);
    if (thin.extent > 0.45 * thick) return looking(-60 * degree, 20 * degree);
    // Of the two sides, the one with x (or y) to the right.
    const normal = thin.azimuth <= 45 ? thin.azimuth : thin.azimuth - 180;
    return looking((normal + 20) * degree, 14 * degree);
  }

  // Moves the camera along the direction it looks from until the whole motion is in view, with a margin.
  fit(camera: PerspectiveCamera, target: Vector3, direction: Vector3, margin = 1.12): void {
    const back = direction.clone().normalize();
    const right = new Vector3().crossVectors(this.up, back);
    if (right.lengthSq() < 1e-12) right.set(1, 0, 0);
    right.normalize();
    const above = new Vector3().crossVectors(back, right);
    const tanY = Math.tan((camera.fov * Math.PI) / 360) / margin;
    const tanX = tanY * camera.aspect;

    // A point (r, a, b) is seen from distance D if |r - r0| < (D - b) tanX: the planes r ± b tanX through the outermost points
    // meet in the eye. Likewise for a; the farther of the two eyes sees all.
    const most = { left: -Infinity, right: -Infinity, below: -Infinity, above: -Infinity };
    this.forEach((point) => {
      const [r, a, b] = [point.dot(right), point.dot(above), point.dot(back)];
      most.right = Math.max(most.right, r + b * tanX);
      most.left = Math.max(most.left, -r + b * tanX);
      most.above = Math.max(most.above, a + b * tanY);
      most.below = Math.max(most.below, -a + b * tanY);
    });
    const distance = Math.max((most.right + most.left) / (2 * tanX), (most.above + most.below) / (2 * tanY));
    const middle = new Vector3()
      .addScaledVector(right, (most.right - most.left) / 2)
      .addScaledVector(above, (most.above - most.below) / 2);
    camera.position.copy(middle).addScaledVector(back, distance);
    target.copy(middle).addScaledVector(back, this.center.dot(back));
    camera.near = Math.max(this.radius, distance) / 500;
    camera.far = 40 * (this.radius + distance);
    camera.updateProjectionMatrix();
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
