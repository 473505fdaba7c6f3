// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from "three";

// sinh x / x = k, k > 1.
function solveSag(k: number): number {
  let x = k < 3 ? Math.sqrt(6 * (k - 1)) : Math.log(2 * k) + Math.log(Math.log(2 * k));
  for (let i = 0; i < 30; i++) x -= (Math.sinh(x) - k * x) / (Math.cosh(x) - k);
  return x;
}

// A string longer than the way between its ends hangs as a catenary: with h and v the way across and up,
//
//   y = a cosh((x - x0)/a) ,   sinh(h/2a)/(h/2a) = sqrt(length² - v²)/h ,   tanh((h/2 - x0)/a) = v/length
//
// Its points, evenly along it.
export function hang(from: Vector3, to: Vector3, length: number, down: Vector3, points: Vector3[]): void {
  const way = to.clone().sub(from);
  const v = -way.dot(down);
  const across = way.addScaledVector(down, v);
  // Ends one above the other: a narrow loop, in any direction across.
  const least = 2e-3 * length;
  if (across.length() < 1e-9 * length) across.set(down.z, down.x, down.y).addScaledVector(down, -across.dot(down));
  const h = Math.max(to.clone().sub(from).addScaledVector(down, v).length(), least);
  across.normalize();
  const k = Math.sqrt(Math.max(length * length - v * v, 0)) / h;
  if (!(k > 1 + 1e-9)) {
    points.forEach((point, i) => point.lerpVectors(from, to, i / (points.length - 1)));
    return;
  }
  const a = h / (2 * solveSag(k));
  const x0 = h / 2 - a * Math.atanh(v / length);
  points.forEach((point, i) => {
    const s = (length * i) / (points.length - 1);
    const x = x0 + a * Math.asinh(s / a + Math.sinh(-x0 / a));
    const y = a * (Math.cosh((x - x0) / a) - Math.cosh(x0 / a));
    point.copy(from).addScaledVector(across, x).addScaledVector(down, -y);
  });
}
