// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import type { Clock } from "./clock";
import { decodeFloat64, type GripDocument } from "./document";
import { element } from "./dom";
import { formatNumber } from "./format";
import type { Recording } from "./recording";

const kSize = 120; // of the drawing, whose circle has radius 50
const kMostPoints = 1500;

const kSvg = "http://www.w3.org/2000/svg";
function shape(tag: string, attributes: Record<string, string | number>): SVGElement {
  const node = document.createElementNS(kSvg, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

// The friction circle of every contact: the force that grip needs, forward up and lateral to the right, beside the largest there
// is. Where the point is on the circle it slides.
export function gripCards(recording: Recording, clock: Clock): HTMLElement {
  const cards = recording.data.grips.map((grip) => new GripCard(grip, recording));
  clock.subscribe(() => {
    for (const card of cards) card.show(clock.time);
  });
  return element(
    "section",
    { class: "grips" },
    element("header", {}, element("h2", {}, "Grip"), element("span", { class: "note" }, "force, in the circle of the available force")),
    element("div", { class: "circles" }, ...cards.map((card) => card.node)),
  );
}

class GripCard {
  readonly node: HTMLElement;
  private readonly lateral: Float64Array;
  private readonly forward: Float64Array;
  private readonly scale: number;
  private readonly dot = shape("circle", { r: 3.5, class: "now" });
  private readonly number = element("output", {});

  constructor(
    private readonly grip: GripDocument,
    private readonly recording: Recording,
  ) {
    this.lateral = decodeFloat64(grip.lateral);
    this.forward = grip.forward ? decodeFloat64(grip.forward) : new Float64Array(this.lateral.length);
    let largest = 0;
    for (let i = 0; i < this.lateral.length; i++) largest = Math.max(largest, this.size(i));
    const whole = Math.max(largest, grip.bound) || 1;
    this.scale = 50 / whole;
    const svg = shape("svg", { viewBox: `${-kSize / 2} ${-kSize / 2} ${kSize} ${kSize}`, role: "img" });
    svg.setAttribute("aria-label", `force of ${grip.name} in its friction circle`);
    svg.append(
      shape("path", { d: `M${-kSize / 2} 0H${kSize / 2}M0 ${-kSize / 2}V${kSize / 2}`, class: "cross" }),
      ...(grip.bound > 0 ? [shape("circle", { r: this.scale * grip.bound, class: "bound" })] : []),
      shape("path", { d: this.trace(), class: "trace" }),
      this.dot,
    );
    this.node = element(
      "figure",
      {},
      element("figcaption", {}, element("strong", {}, grip.name), this.number),
    );
    this.node.prepend(svg);
    this.show(recording.start);
  }

  show(time: number): void {
    const { index, fraction } = this.recording.locate(time);
    const at = (values: Float64Array): number =>
      fraction > 0 ? values[index]! + fraction * (values[index + 1]! - values[index]!) : values[index]!;
    const x = at(this.lateral);
    const y = at(this.forward);
    this.dot.setAttribute("cx", String(this.scale * x));
    this.dot.setAttribute("cy", String(-this.scale * y));
    const unit = this.grip.unit ? ` ${this.grip.unit}` : "";
    const bound = this.grip.bound > 0 ? ` of ${formatNumber(this.grip.bound, 3)}${unit}` : unit;
    this.number.textContent = `${formatNumber(Math.hypot(x, y), 3)}${bound}`;
  }

  private size(i: number): number {
    return Math.hypot(this.lateral[i]!, this.forward[i]!);
  }

  private trace(): string {
    const step = Math.max(1, Math.ceil(this.lateral.length / kMostPoints));
    let path = "";
    for (let i = 0; i < this.lateral.length; i += step)
      path += `${path ? "L" : "M"}${(this.scale * this.lateral[i]!).toFixed(2)} ${(-this.scale * this.forward[i]!).toFixed(2)}`;
    return path;
  }
}
