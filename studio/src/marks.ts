// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { type BufferGeometry, DynamicDrawUsage, InstancedMesh, MeshBasicMaterial } from "three";

// Seen through the bodies: what is marked lies between them.
export const overlay = (): MeshBasicMaterial => new MeshBasicMaterial({ depthTest: false, transparent: true });

// A cylinder or a cone along z, its middle at a height.
export const upright = (geometry: BufferGeometry, middle: number): BufferGeometry =>
  geometry.rotateX(Math.PI / 2).translate(0, 0, middle);

export function instances(geometry: BufferGeometry, material: MeshBasicMaterial, count: number): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, count);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.visible = count > 0;
  mesh.frustumCulled = false;
  mesh.renderOrder = 2;
  return mesh;
}
