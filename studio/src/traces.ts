// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  ShaderMaterial,
  Vector3,
} from "three";
import { lineColor } from "./bodies";
import { kAxisColors } from "./ground";
import type { Recording } from "./recording";

const kLongestTrace = 2000; // points

// A point of a body whose path is drawn.
export interface TracedPoint {
  body: number;
  point: Vector3; // in the body
  color: string;
}

export const massCentres = (recording: Recording): TracedPoint[] =>
  recording.bodies.flatMap((track, body) =>
    track.rests ? [] : { body, point: new Vector3(...recording.data.bodies[body]!.com), color: lineColor(recording.data, body) },
  );

// The paths of points: bright where they have been, faint where they will go. One draw call for all.
export class Traces {
  readonly object: LineSegments<BufferGeometry, ShaderMaterial>;

  constructor(recording: Recording, traced: readonly TracedPoint[]) {
    const instants = recording.spread(kLongestTrace);
    const n = instants.length;
    const points = new Float32Array(3 * n * traced.length);
    const colors = new Float32Array(3 * n * traced.length);
    const moments = new Float32Array(n * traced.length);
    const owners = new Float32Array(n * traced.length);
    const segments = new Uint32Array(2 * Math.max(n - 1, 0) * traced.length);
    const matrix = new Matrix4();
    const at = new Vector3();
    const shade = new Color();
    let segment = 0;
    traced.forEach(({ body, point, color }, row) => {
      shade.set(color);
      instants.forEach((instant, column) => {
        const k = row * n + column;
        at.copy(point)
          .applyMatrix4(recording.bodies[body]!.matrixAt(instant, matrix))
          .toArray(points, 3 * k);
        shade.toArray(colors, 3 * k);
        moments[k] = recording.times[instant.index]! - recording.start;
        owners[k] = body;
        if (column + 1 < n) segments.set([k, k + 1], 2 * segment++);
      });
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(points, 3));
    geometry.setAttribute("shade", new BufferAttribute(colors, 3));
    geometry.setAttribute("moment", new BufferAttribute(moments, 1));
    geometry.setAttribute("owner", new BufferAttribute(owners, 1));
    geometry.setIndex(new BufferAttribute(segments, 1));
    this.object = new LineSegments(
      geometry,
      new ShaderMaterial({
        transparent: true,
        depthWrite: false,
        uniforms: { now: { value: 0 }, selected: { value: -1 } },
        vertexShader: `attribute vec3 shade; attribute float moment; attribute float owner;
          uniform float now; uniform float selected; varying vec4 vShade;
          void main() {
            float alpha = moment <= now ? 0.8 : 0.22;
            if (selected >= 0.0 && abs(owner - selected) > 0.5) alpha *= 0.12;
            vShade = vec4(shade, alpha);
            gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
        fragmentShader: `varying vec4 vShade;
          void main() { gl_FragColor = vShade;
            #include <colorspace_fragment>
          }`,
      }),
    );
    this.object.frustumCulled = false;
  }

  update(sinceStart: number): void {
    this.object.material.uniforms.now!.value = sinceStart;
  }

  select(body: number): void {
    this.object.material.uniforms.selected!.value = body;
  }
}

// The axes of every body, at its pole.
export class Frames {
  readonly object: LineSegments;
  private readonly position: BufferAttribute;
  private readonly point = new Vector3();

  constructor(
    count: number,
    private readonly length: number,
  ) {
    this.position = new BufferAttribute(new Float32Array(18 * count), 3).setUsage(DynamicDrawUsage);
    const colors = new Float32Array(18 * count);
    const pair = kAxisColors.flatMap((name) => [...new Color(name).toArray(), ...new Color(name).toArray()]);
    for (let body = 0; body < count; body++) colors.set(pair, 18 * body);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("color", new BufferAttribute(colors, 3));
    this.object = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
  }

  update(poses: readonly Matrix4[]): void {
    poses.forEach((pose, body) => {
      for (let axis = 0; axis < 3; axis++) {
        const k = 6 * body + 2 * axis;
        this.position.setXYZ(k, pose.elements[12]!, pose.elements[13]!, pose.elements[14]!);
        this.point.setFromMatrixColumn(pose, axis).multiplyScalar(this.length);
        this.position.setXYZ(
          k + 1,
          pose.elements[12]! + this.point.x,
          pose.elements[13]! + this.point.y,
          pose.elements[14]! + this.point.z,
        );
      }
    });
    this.position.needsUpdate = true;
  }
}
