// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  type Intersection,
  Matrix4,
  type Material,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  type Raycaster,
  SphereGeometry,
  Vector3,
} from "three";
import { decodeFloat32, type ReportDocument, type ShapeDocument } from "./document";
import { groupBy } from "./group";
import { cssColor, paletteColor } from "./theme";

type Solid = "box" | "cylinder" | "sphere";

// One box, cylinder or sphere of side or radius 1, placed and stretched in the frame of its body.
interface Part {
  body: number; // -1: the world
  solid: Solid;
  finish: Finish;
  local: Matrix4;
  color: Color | undefined; // undefined: the neutral one of the scheme
}

// marked: quarters of two shades, so that a turning wheel is seen to turn; glass: not the user's shape but the box of equal
// inertia.
type Finish = "plain" | "marked" | "glass";

const kGeometry: Record<Solid, () => BufferGeometry> = {
  box: () => new BoxGeometry(1, 1, 1),
  cylinder: () => new CylinderGeometry(1, 1, 1, 40).rotateX(Math.PI / 2),
  sphere: () => new SphereGeometry(1, 32, 20).rotateX(Math.PI / 2),
};

export function bodyColor(data: ReportDocument, body: number): string {
  return data.bodies[body]?.shapes[0]?.color ?? paletteColor(body);
}

// The colour of a body's curves: its own, unless that is too dark or too light for lines on either background.
export function lineColor(data: ReportDocument, body: number): string {
  const { r, g, b } = new Color(bodyColor(data, body));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return luminance > 0.08 && luminance < 0.6 ? bodyColor(data, body) : paletteColor(body);
}

// All bodies of a mechanism, however many, in a handful of draw calls.
export class Bodies {
  readonly group = new Group();
  private readonly parts: Part[] = [];
  private readonly batches: { mesh: InstancedMesh<BufferGeometry, Material>; parts: Part[] }[] = [];
  private readonly meshes: {
    body: number;
    mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
    local: Matrix4;
    color: Color | undefined;
  }[] = [];
  private readonly world = new Matrix4();
  private readonly matrix = new Matrix4();
  private selected = -1;
  private readonly nowhere = new Matrix4().makeScale(0, 0, 0);
  readonly hidden = new Set<number>();

  // A ghost is the second run, seen through the first.
  constructor(
    private readonly data: ReportDocument,
    private readonly ghost = false,
  ) {
    if (!ghost) for (const shape of data.world) this.add(-1, shape);
    data.bodies.forEach((body, index) => body.shapes.forEach((shape) => this.add(index, shape)));

    for (const parts of groupBy(this.parts, (part) => `${part.solid} ${part.finish}`).values()) {
      const { solid, finish } = parts[0]!;
      const mesh = new InstancedMesh(kGeometry[solid](), materialOf(solid, finish), parts.length);
      mesh.castShadow = !ghost;
      mesh.receiveShadow = finish !== "glass" && !ghost;
      mesh.frustumCulled = false;
      mesh.renderOrder = finish === "glass" ? 1 : 0;
      this.batches.push({ mesh, parts });
      this.group.add(mesh);
    }
    this.paint();
  }

  // Puts every part where its body stands.
  update(poses: readonly Matrix4[]): void {
    for (const { mesh, parts } of this.batches) {
      parts.forEach((part, i) => mesh.setMatrixAt(i, this.matrix.multiplyMatrices(this.poseOf(part.body, poses), part.local)));
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // picking computes it anew
    }
    for (const { body, mesh, local } of this.meshes) {
      mesh.matrix.multiplyMatrices(this.poseOf(body, poses), local);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  // The chosen body keeps its colour, the others step back; -1: all are equal.
  select(body: number): void {
    this.selected = body;
    this.paint();
  }

  // Colours again: the scheme or the selection has changed.
  paint(): void {
    const background = new Color(cssColor("stage"));
    const neutral = new Color(cssColor("joint"));
    const color = new Color();
    const shade = (own: Color | undefined, body: number): Color => {
      color.copy(own ?? neutral);
      return this.selected < 0 || this.selected === body ? color : color.lerp(background, 0.72);
    };
    for (const { mesh, parts } of this.batches) {
      parts.forEach((part, i) => mesh.setColorAt(i, shade(part.color, part.body)));
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      if (parts[0]!.finish === "glass") mesh.material.opacity = Number(cssColor("glass")) * (this.ghost ? 0.5 : 1);
    }
    for (const { body, mesh, color: own } of this.meshes) mesh.material.color.copy(shade(own, body));
  }

  // The body under the ray, -1 if there is none, and the point of it that is seen.
  pick(raycaster: Raycaster): { body: number; point: Vector3 } | undefined {
    const hit: Intersection | undefined = raycaster.intersectObject(this.group, true)[0];
    if (!hit) return undefined;
    const batch = this.batches.find(({ mesh }) => mesh === hit.object);
    const body = batch
      ? batch.parts[hit.instanceId ?? 0]!.body
      : (this.meshes.find(({ mesh }) => mesh === hit.object)?.body ?? -1);
    return { body, point: hit.point };
  }

  // The corners of all parts at the given poses: what a camera must see.
  forEachCorner(poses: readonly Matrix4[], visit: (corner: Vector3, body: number) => void): void {
    const corner = new Vector3();
    for (const part of this.parts) {
      this.matrix.multiplyMatrices(this.poseOf(part.body, poses), part.local);
      const half = part.solid === "box" ? 0.5 : 1;
      const halfLength = part.solid === "sphere" ? 1 : 0.5;
      for (let k = 0; k < 8; k++) {
        corner.set(k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? halfLength : -halfLength);
        visit(corner.applyMatrix4(this.matrix), part.body);
      }
    }
    for (const { body, mesh, local } of this.meshes) {
      this.matrix.multiplyMatrices(this.poseOf(body, poses), local);
      const { min, max } = mesh.geometry.boundingBox!;
      for (let k = 0; k < 8; k++) {
        corner.set(k & 1 ? min.x : max.x, k & 2 ? min.y : max.y, k & 4 ? min.z : max.z);
        visit(corner.applyMatrix4(this.matrix), body);
      }
    }
  }

  private poseOf(body: number, poses: readonly Matrix4[]): Matrix4 {
    return this.hidden.has(body) ? this.nowhere : body < 0 ? this.world : poses[body]!;
  }

  private add(body: number, shape: ShapeDocument): void {
    const [x, y, z] = shape.position ?? [0, 0, 0];
    const [qw, qx, qy, qz] = shape.orientation ?? [1, 0, 0, 0];
    const place = new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(1, 1, 1));
    const color = shape.role === "joint" ? undefined : new Color(shape.color ?? bodyColor(this.data, body));
    const finish: Finish = this.ghost ? "glass" : shape.role === "shape" ? "marked" : shape.role === "inertia" ? "glass" : "plain";
    const put = (solid: Solid, a: number, b: number, c: number, shift = 0): void => {
      const local = place
        .clone()
        .multiply(new Matrix4().makeTranslation(0, 0, shift))
        .scale(new Vector3(a, b, c));
      this.parts.push({ body, solid, finish, local, color });
    };
    const [a = 0, b = 0, c = 0] = shape.size;
    switch (shape.form) {
      case "box":
        put("box", a, b, c);
        break;
      case "cylinder":
        put("cylinder", a, a, b);
        break;
      case "sphere":
        put("sphere", a, a, a);
        break;
      case "capsule":
        put("cylinder", a, a, b);
        put("sphere", a, a, a, b / 2);
        put("sphere", a, a, a, -b / 2);
        break;
      case "mesh":
        this.addMesh(body, a, place.scale(new Vector3(b, b, b)), color);
        break;
    }
  }

  private addMesh(body: number, index: number, local: Matrix4, color: Color | undefined): void {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(decodeFloat32(this.data.meshes[index]!), 3));
    geometry.computeVertexNormals();
    geometry.computeBoundingBox();
    const mesh = new Mesh(geometry, new MeshStandardMaterial({ roughness: 0.6, metalness: 0.05, side: DoubleSide }));
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    this.meshes.push({ body, mesh, local, color });
    this.group.add(mesh);
  }
}

function materialOf(solid: Solid, finish: Finish): Material {
  const glass = finish === "glass";
  const material = new MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, transparent: glass, depthWrite: !glass });
  const pattern = glass ? kEdges : finish === "marked" && solid !== "box" ? kMarks[solid] : undefined;
  if (!pattern) return material;

  // The pattern is painted in the coordinates of the unit solid.
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vUnit;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvUnit = position;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vUnit;")
      .replace("#include <color_fragment>", `#include <color_fragment>\n${pattern}`);
  };
  material.customProgramCacheKey = () => `${solid} ${finish}`;
  return material;
}

const kMarks: Record<"cylinder" | "sphere", string> = {
  cylinder: `{ float m = vUnit.x * vUnit.y; float w = max(fwidth(m), 1e-4);
    diffuseColor.rgb *= mix(0.7, 1.0, smoothstep(-w, w, m)); }`,
  sphere: `{ float m = vUnit.x * vUnit.y * vUnit.z; float w = max(fwidth(m), 1e-4);
    diffuseColor.rgb *= mix(0.7, 1.0, smoothstep(-w, w, m)); }`,
};

// Of the three distances to the faces of the unit box, a face's own is zero; the next one tells how near an edge is.
const kEdges = `{ vec3 d = 0.5 - abs(vUnit);
    vec3 n = d / max(fwidth(vUnit), vec3(1e-6));
    float nearest = min(min(max(n.x, n.y), max(n.y, n.z)), max(n.x, n.z));
    float inside = smoothstep(0.6, 1.6, nearest);
    diffuseColor.a = mix(0.95, opacity, inside); }`;
