// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { Quaternion, Vector3 } from "three";
import type { KinematicsDocument, Quadruple } from "./document";
import { element } from "./dom";
import { formatNumber, withUnit } from "./format";
import type { Recording } from "./recording";

interface Place {
  position: Vector3;
  orientation: Quaternion;
}

const turnOf = ([w, x, y, z]: Quadruple): Quaternion => new Quaternion(x, y, z, w);

// Where every body stands, for coordinates q:
//
//   R = R_P C Rz(q)    p = p_P + R_P p            revolute
//   R = R_P C          p = p_P + R_P (p + C z q)  prismatic; screw: both, with pitch
//   R = R_P C Rot(Q)   p = p_P + R_P (p + C x)    free; spherical: x = 0
export function placeBodies(model: KinematicsDocument, q: readonly number[]): Place[] {
  const links: Place[] = [];
  for (const link of model.links) {
    const C = turnOf(link.orientation);
    const shift = new Vector3();
    const turn = new Quaternion();
    const [first = 0] = q.slice(link.q, link.q + 1);
    const aboutZ = (): Quaternion => turn.setFromAxisAngle(new Vector3(0, 0, 1), first);
    switch (link.kind) {
      case "fixed":
        break;
      case "revolute":
        aboutZ();
        break;
      case "prismatic":
        shift.set(0, 0, first);
        break;
      case "screw":
        aboutZ();
        shift.set(0, 0, link.pitch * first);
        break;
      case "spherical":
        turn.copy(turnOf(q.slice(link.q, link.q + 4) as Quadruple)).normalize();
        break;
      case "free":
        shift.fromArray(q.slice(link.q, link.q + 3));
        turn.copy(turnOf(q.slice(link.q + 3, link.q + 7) as Quadruple)).normalize();
        break;
    }
    const base = links[link.parent];
    const position = shift.applyQuaternion(C).add(new Vector3(...link.position));
    const orientation = C.multiply(turn);
    if (base) {
      position.applyQuaternion(base.orientation).add(base.position);
      orientation.premultiply(base.orientation);
    }
    links.push({ position, orientation });
  }
  return model.bodies.map(({ link, orientation }) => {
    const place = links[link]!;
    return { position: place.position, orientation: place.orientation.clone().multiply(turnOf(orientation)) };
  });
}

// A ball is turned by three angles about the axes of its base, from where it stands: Rz(c) Ry(b) Rx(a) Q.
interface Ball {
  q: number;
  start: Quaternion;
  angles: [number, number, number];
}

// A slider for every coordinate, within its limits; balls have three angles.
export class Sliders {
  readonly node: HTMLElement;
  private readonly q: number[];
  private readonly resets: (() => void)[] = [];
  private readonly note = element("p", { class: "warnings", role: "status", hidden: "" });

  constructor(
    private readonly model: KinematicsDocument,
    private readonly recording: Recording,
    reach: number, // what a slider of a length without limits covers [m]
    private readonly moved: () => void,
  ) {
    this.q = model.coordinates.map(({ value }) => value);
    const balls = new Map(
      model.links
        .filter(({ kind }) => kind === "spherical" || kind === "free")
        .map(({ kind, q }) => [kind === "free" ? q + 3 : q, kind] as const),
    );
    const rows: HTMLElement[] = [];
    for (let i = 0; i < model.coordinates.length; i++) {
      if (balls.has(i)) {
        rows.push(...this.ball(i));
        i += 3;
      } else {
        rows.push(this.slider(i, reach));
      }
    }
    const reset = element("button", { type: "button", onclick: () => this.reset() }, "Start pose");
    this.note.textContent = `${model.rows} ${model.rows === 1 ? "constraint is" : "constraints are"} not kept by the sliders: loops open, contacts leave their ground.`;
    this.node = element(
      "section",
      { class: "sliders" },
      element("header", {}, element("h2", {}, "Coordinates"), reset),
      this.note,
      ...rows,
    );
  }

  private slider(index: number, reach: number): HTMLElement {
    const { name, unit, value, lower, upper, given } = this.model.coordinates[index]!;
    const half = unit === "m" ? reach : Math.PI;
    const low = lower ?? Math.min(-half, value, (upper ?? half) - half);
    const high = upper ?? Math.max(half, value, low + half);
    const told = (limit: number | undefined): string => (limit === undefined ? "" : formatNumber(limit));
    const limits = lower === undefined && upper === undefined ? "" : `limits ${told(lower)} .. ${told(upper)}`;
    const remark = given ? "its motion is given" : limits;
    return this.row(name, unit, value, low, high, remark, (next) => (this.q[index] = next));
  }

  private ball(index: number): HTMLElement[] {
    const stem = this.model.coordinates[index]!.name.replace(/\.[^.]*$/, "");
    const ball: Ball = { q: index, start: turnOf(this.q.slice(index, index + 4) as Quadruple), angles: [0, 0, 0] };
    return ["x", "y", "z"].map((axis, k) =>
      this.row(`${stem} about ${axis}`, "rad", 0, -Math.PI, Math.PI, "", (next) => {
        ball.angles[k] = next;
        this.turn(ball);
      }),
    );
  }

  private turn({ q, start, angles }: Ball): void {
    const turn = new Quaternion();
    const axes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
    angles.forEach((angle, k) => turn.premultiply(new Quaternion().setFromAxisAngle(axes[k]!, angle)));
    const { w, x, y, z } = turn.multiply(start);
    [w, x, y, z].forEach((value, k) => (this.q[q + k] = value));
  }

  private row(
    name: string,
    unit: string,
    value: number,
    low: number,
    high: number,
    remark: string,
    change: (next: number) => void,
  ): HTMLElement {
    const input = element("input", {
      type: "range",
      min: String(low),
      max: String(high),
      step: "any",
      value: String(value),
      "aria-label": name,
    });
    const told = element("output", {});
    const tell = (): void => {
      const next = Number(input.value);
      const degrees = unit === "rad" ? ` (${formatNumber((next * 180) / Math.PI, 3)}°)` : "";
      told.textContent = withUnit(formatNumber(next, 4), unit) + degrees;
    };
    input.addEventListener("input", () => {
      change(Number(input.value));
      tell();
      this.place();
    });
    this.resets.push(() => {
      input.value = String(value);
      change(value);
      tell();
    });
    tell();
    return element(
      "label",
      { class: "slider" },
      element("span", { class: "name" }, name, ...(remark ? [element("small", { class: "note" }, ` ${remark}`)] : [])),
      told,
      input,
    );
  }

  private reset(): void {
    for (const one of this.resets) one();
    this.place();
    this.note.hidden = true;
  }

  private place(): void {
    placeBodies(this.model, this.q).forEach(({ position, orientation }, i) => this.recording.bodies[i]!.stand(position, orientation));
    this.note.hidden = this.model.rows === 0;
    this.moved();
  }
}

