// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { element } from "./dom";

// A button that opens a small list of buttons; a click elsewhere closes it.
export function menu(label: string, title: string, ...items: Node[]): HTMLDetailsElement {
  const node = element("details", { class: "menu" }, element("summary", { title }, label), element("div", { class: "items" }, ...items));
  addEventListener("pointerdown", (event) => {
    if (!node.contains(event.target as Node)) node.open = false;
  });
  node.addEventListener("keydown", (event) => {
    if (event.key === "Escape") node.open = false;
  });
  return node;
}
