// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

export type Scheme = "light" | "dark";

// Ten colours that keep apart from each other, and from both backgrounds.
const kPalette = ["#3d7dd9", "#e0803a", "#35a07c", "#c9518f", "#8870d4", "#b4992b", "#3aa5c6", "#d2574c", "#71933f", "#8b8f9b"];

export const paletteColor = (index: number): string => kPalette[index % kPalette.length]!;

export const cssColor = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// Light or dark: as the system wishes until the reader chooses.
export class Theme {
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private chosen: Scheme | undefined;
  private listeners: (() => void)[] = [];

  constructor() {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get scheme(): Scheme {
    return this.chosen ?? (this.system.matches ? "dark" : "light");
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  toggle(): void {
    this.chosen = this.scheme === "dark" ? "light" : "dark";
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset.scheme = this.scheme;
    for (const listener of this.listeners) listener();
  }
}
