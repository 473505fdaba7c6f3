// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import type { Clock } from "./clock";
import { type OwnPlots, plotText, readPlot } from "./own_plots";

// A link to a moment of the run, with the reader's plots: #t=1.25&plot=car.tx,car.ty
export const linkText = (clock: Clock, plots: OwnPlots): string =>
  [`t=${Number(clock.time.toPrecision(12))}`, ...plots.wishes.map((wish) => `plot=${encodeURIComponent(plotText(wish))}`)].join("&");

// Puts the present moment into the address, and into the clipboard where the browser allows it.
export async function copyLink(clock: Clock, plots: OwnPlots): Promise<void> {
  history.replaceState(null, "", `#${linkText(clock, plots)}`);
  await navigator.clipboard?.writeText(location.href).catch(() => undefined);
}

// Goes where the address says; at the start if it says nothing.
export function followLink(clock: Clock, plots: OwnPlots): void {
  const go = (): void => {
    const wish = new URLSearchParams(location.hash.slice(1));
    const t = Number(wish.get("t") ?? NaN);
    if (Number.isFinite(t)) clock.jump(t);
    const there = new Set(plots.wishes.map(plotText));
    for (const text of wish.getAll("plot")) if (!there.has(text)) plots.add(readPlot(text));
  };
  clock.seek(clock.start);
  go();
  addEventListener("hashchange", go);
}
