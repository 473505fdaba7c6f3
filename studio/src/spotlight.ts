// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { type Camera, Vector3 } from "three";
import type { Scenery } from "./arrows";
import type { ReportDocument } from "./document";
import { element } from "./dom";
import { placeEnd } from "./lines";

// What a verdict speaks of, if it has a place: an element, a string or spring, a body.
export interface Subject {
  name: string;
  body: number; // -1: it is none
  place: (scenery: Scenery, result: Vector3) => void;
}

// Subjects are named after what they are about: "foot.friction", "rail.1", "elbow.position".
export function findSubject(data: ReportDocument, text: string): Subject | undefined {
  for (let end = text.length; end > 0; end--) {
    if (end < text.length && text[end] !== "." && text[end] !== "'") continue;
    const name = text.slice(0, end);
    const element = data.elements.findIndex((one) => one.name === name);
    if (element >= 0) return { name, body: -1, place: ({ elements }, result) => result.setFromMatrixPosition(elements[element]!) };
    const line = data.lines.find((one) => one.name === name);
    if (line) {
      const other = new Vector3();
      const place = (scenery: Scenery, result: Vector3): void => {
        placeEnd(line.ends[0], scenery, result).lerp(placeEnd(line.ends[1], scenery, other), 0.5);
      };
      return { name, body: -1, place };
    }
    const body = data.bodies.findIndex((one) => one.name === name);
    if (body >= 0) {
      const com = data.bodies[body]!.com;
      return { name, body, place: ({ bodies }, result) => result.set(...com).applyMatrix4(bodies[body]!) };
    }
  }
  return undefined;
}

// A ring around a subject, that goes with it.
export class Spotlight {
  readonly node = element("div", { class: "spot", hidden: "" });
  private readonly label = element("span", {});
  private readonly at = new Vector3();
  private subject: Subject | undefined;

  constructor() {
    this.node.append(this.label);
  }

  show(subject: Subject | undefined): void {
    this.subject = subject;
    this.node.hidden = !subject;
    this.label.textContent = subject?.name ?? "";
  }

  update(scenery: Scenery, camera: Camera, width: number, height: number): void {
    if (!this.subject) return;
    this.subject.place(scenery, this.at);
    this.at.project(camera);
    this.node.hidden = Math.abs(this.at.z) > 1;
    this.node.style.transform = `translate(${((this.at.x + 1) / 2) * width}px, ${((1 - this.at.y) / 2) * height}px)`;
  }
}
