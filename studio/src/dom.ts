// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

type Attributes = Record<string, string | ((event: Event) => void)>;

// An element with attributes (functions are listeners: onclick) and children.
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "string") node.setAttribute(name, value);
    else node.addEventListener(name.slice(2), value);
  }
  node.append(...children);
  return node;
}

export function byId(id: string): HTMLElement {
  const node = document.getElementById(id);
  if (!node) throw new Error(`no element '${id}'`);
  return node;
}

// A button that is on or off.
export function toggleButton(label: string, title: string, on: boolean, change: (on: boolean) => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "toggle", title, "aria-pressed": String(on) }, label);
  button.addEventListener("click", () => {
    const next = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(next));
    change(next);
  });
  return button;
}
