// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  ShaderMaterial,
  ShadowMaterial,
  Vector2,
  Vector3,
} from "three";
import { decodeFloat32, type ReportDocument, type SurfaceDocument } from "./document";
import { cssColor } from "./theme";

// The step of a grid that divides a length into about eight: 1, 2 or 5 times a power of ten.
export function gridStep(length: number): number {
  const raw = length / 8;
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * (raw / power < 1.5 ? 1 : raw / power < 3.5 ? 2 : raw / power < 7.5 ? 5 : 10);
}

// A faint grid at the level of the floor, normal to gravity, its lines at whole multiples of the step from the world's origin, with
// the shadows of the bodies on it.
export class Ground {
  readonly group = new Group();
  readonly step: number;
  private readonly grid: ShaderMaterial;
  private readonly shadow: ShadowMaterial;

  constructor(up: Vector3, center: Vector3, level: number, radius: number, machine: number, shadows: boolean) {
    this.step = gridStep(2 * machine);
    const size = 24 * radius;
    this.grid = new ShaderMaterial({
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: {
        color: { value: new Color() },
        cell: { value: this.step },
        reach: { value: 5.5 * radius },
        origin: { value: new Vector2() },
      },
      vertexShader: `uniform vec2 origin; varying vec2 vPlane; varying vec2 vCenter;
        void main() { vCenter = position.xy; vPlane = position.xy + origin;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
      fragmentShader: `uniform vec3 color; uniform float cell; uniform float reach; varying vec2 vPlane; varying vec2 vCenter;
        float lines(vec2 p) { vec2 w = fwidth(p); vec2 g = abs(fract(p - 0.5) - 0.5) / w;
          return (1.0 - min(min(g.x, g.y), 1.0)) * clamp(0.4 / max(w.x, w.y), 0.0, 1.0); }
        void main() { float fade = 1.0 - smoothstep(0.1, 1.0, length(vCenter) / reach);
          float a = 0.34 * lines(vPlane / cell) + 0.22 * lines(vPlane / (5.0 * cell));
          gl_FragColor = vec4(color, a * fade * fade); }`,
    });
    this.shadow = new ShadowMaterial({ transparent: true, depthWrite: false });

    const plane = new Group();
    const gridMesh = new Mesh(new PlaneGeometry(size, size), this.grid);
    const shadowMesh = new Mesh(new PlaneGeometry(size, size), this.shadow);
    shadowMesh.receiveShadow = true;
    plane.add(gridMesh);
    if (shadows) plane.add(shadowMesh);

    // The plane's axes: x along the world's x (or y, if x is vertical) as far as it is horizontal.
    const along = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const x = along.addScaledVector(up, -along.dot(up)).normalize();
    const y = new Vector3().crossVectors(up, x);
    const foot = center.clone().addScaledVector(up, level - center.dot(up));
    plane.applyMatrix4(new Matrix4().makeBasis(x, y, up).setPosition(foot));
    this.grid.uniforms.origin!.value.set(foot.dot(x), foot.dot(y));
    this.group.add(plane);
    this.paint();
  }

  paint(): void {
    (this.grid.uniforms.color!.value as Color).set(cssColor("grid"));
    this.shadow.opacity = Number(cssColor("shadow-strength"));
  }
}

// The bodies whose motion is given, as patches of their surfaces with lines of equal x and y.
export class Environment {
  readonly group = new Group();
  private readonly patches: { index: number; object: Group }[] = [];
  private readonly sheet = new MeshStandardMaterial({
    side: DoubleSide,
    transparent: true,
    opacity: 0.85,
    roughness: 0.9,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  private readonly wire = new LineBasicMaterial({ transparent: true, opacity: 0.5 });

  constructor(data: ReportDocument, radius: number) {
    data.environment.forEach((body, index) => {
      const object = new Group();
      object.matrixAutoUpdate = false;
      object.add(body.surface ? this.patch(body.surface) : axes(0.12 * radius));
      this.patches.push({ index, object });
      this.group.add(object);
    });
    this.paint();
  }

  update(poses: readonly Matrix4[]): void {
    for (const { index, object } of this.patches) {
      object.matrix.copy(poses[index]!);
      object.matrixWorldNeedsUpdate = true;
    }
  }

  paint(): void {
    this.sheet.color.set(cssColor("sheet"));
    this.wire.color.set(cssColor("grid"));
  }

  private patch(surface: SurfaceDocument): Group {
    const { columns, rows } = surface;
    const heights = decodeFloat32(surface.heights);
    const points = new Float32Array(3 * columns * rows);
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++) {
        const k = j * columns + i;
        points[3 * k] = surface.x[0] + ((surface.x[1] - surface.x[0]) * i) / (columns - 1);
        points[3 * k + 1] = surface.y[0] + ((surface.y[1] - surface.y[0]) * j) / (rows - 1);
        points[3 * k + 2] = heights[k]!;
      }
    }
    // Cells with a corner where the surface has no height stay open.
    const triangles: number[] = [];
    const wires: number[] = [];
    const exists = (k: number): boolean => Number.isFinite(heights[k]!);
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++) {
        const k = j * columns + i;
        const right = i + 1 < columns && exists(k) && exists(k + 1);
        const ahead = j + 1 < rows && exists(k) && exists(k + columns);
        if (right && j % 2 === 0) wires.push(k, k + 1);
        if (ahead && i % 2 === 0) wires.push(k, k + columns);
        if (right && ahead && exists(k + columns + 1)) {
          triangles.push(k, k + 1, k + columns + 1, k, k + columns + 1, k + columns);
        }
      }
    }
    const position = new BufferAttribute(points, 3);
    const sheet = new BufferGeometry().setAttribute("position", position).setIndex(triangles);
    sheet.computeVertexNormals();
    const wire = new BufferGeometry().setAttribute("position", position).setIndex(wires);
    const mesh = new Mesh(sheet, this.sheet);
    mesh.receiveShadow = true;
    const group = new Group();
    for (const object of [mesh, new LineSegments(wire, this.wire)]) {
      object.frustumCulled = false;
      group.add(object);
    }
    return group;
  }
}

export const kAxisColors = ["#d9534f", "#4a9d5b", "#4179d6"];

// A right-handed trihedron: x red, y green, z blue.
export function axes(length: number): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    "position",
    new Float32BufferAttribute([0, 0, 0, length, 0, 0, 0, 0, 0, 0, length, 0, 0, 0, 0, 0, 0, length], 3),
  );
  geometry.setAttribute(
    "color",
    new Float32BufferAttribute(
      kAxisColors.flatMap((name) => [...new Color(name).toArray(), ...new Color(name).toArray()]),
      3,
    ),
  );
  return new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
}
