// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { bodyColor } from "./bodies";
import type { ReportDocument } from "./document";
import { element } from "./dom";

// The bodies as they stand on each other: a click chooses one, a box hides it with all it carries.
export class BodyTree {
  readonly node = element("ul", { class: "tree", "aria-label": "Bodies" });
  private readonly boxes: HTMLInputElement[] = [];
  private readonly names: HTMLElement[] = [];
  private readonly children = new Map<number, number[]>();

  constructor(
    data: ReportDocument,
    private readonly choose: (body: number) => void,
    private readonly hide: (body: number, on: boolean) => void,
  ) {
    data.bodies.forEach(({ parent }, body) => this.children.set(parent, [...(this.children.get(parent) ?? []), body]));
    const open = [...(this.children.get(-1) ?? [])].reverse().map((body) => ({ body, depth: 0 }));
    for (let next = open.pop(); next; next = open.pop()) {
      const { body, depth } = next;
      this.node.append(this.row(data, body, depth));
      for (const child of [...(this.children.get(body) ?? [])].reverse()) open.push({ body: child, depth: depth + 1 });
    }
  }

  select(body: number): void {
    this.names.forEach((label, i) => label.classList.toggle("chosen", i === body));
  }

  private row(data: ReportDocument, body: number, depth: number): HTMLElement {
    const { name } = data.bodies[body]!;
    const title = "Show or hide this body and the bodies it carries";
    const box = element("input", { type: "checkbox", checked: "", title, "aria-label": `show ${name}` });
    box.addEventListener("change", () => this.show(body, box.checked));
    const label = element("button", { type: "button", onclick: () => this.choose(body) }, name);
    label.style.setProperty("--color", bodyColor(data, body));
    const row = element("li", {}, box, label);
    row.style.paddingLeft = `${14 * Math.min(depth, 12)}px`;
    this.boxes[body] = box;
    this.names[body] = label;
    return row;
  }

  private show(body: number, on: boolean): void {
    const open = [body];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.boxes[next]!.checked = on;
      this.hide(next, !on);
      open.push(...(this.children.get(next) ?? []));
    }
  }
}
