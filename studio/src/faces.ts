// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import type { Clock } from "./clock";
import { element } from "./dom";
import { formatNumber } from "./format";
import type { Recording } from "./recording";

// Where a pair of faces is loaded from one sample to the next: n > 0 on face2, n < 0 on face1.
interface Band {
  face: 0 | 1 | 2;
  from: number;
  to: number;
}

function listBands(times: ArrayLike<number>, loads: ArrayLike<number>): Band[] {
  const bands: Band[] = [];
  for (let i = 0; i < times.length; i++) {
    const n = loads[i]!;
    const face = n > 0 ? 2 : n < 0 ? 1 : 0;
    const last = bands.at(-1);
    if (last && last.face === face) last.to = times[i]!;
    else bands.push({ face, from: last ? last.to : times[i]!, to: times[i]! });
  }
  return bands;
}

// The loaded faces of guides over the run, one line a pair, and the work that friction has done on each face: where it wears.
export function faceBands(recording: Recording, clock: Clock): HTMLElement {
  const span = clock.end - clock.start || 1;
  const most = Math.max(...recording.data.guides.flatMap(({ work }) => work), Number.MIN_VALUE);
  const rows = recording.data.guides.map(({ name, work }) => {
    const loads = recording.series.find((series) => series.name === name);
    const line = element("div", { class: "band" });
    for (const band of loads ? listBands(recording.times, loads.values) : []) {
      const bit = element("button", {
        type: "button",
        class: `face${band.face}`,
        title: `${name}: ${band.face === 0 ? "unloaded" : `face${band.face}`}, t = ${formatNumber(band.from, 4)} .. ${formatNumber(band.to, 4)} s`,
        onclick: () => clock.jump(band.from),
      });
      bit.style.left = `${(100 * (band.from - clock.start)) / span}%`;
      bit.style.width = `${(100 * (band.to - band.from)) / span}%`;
      line.append(bit);
    }
    const wear = work.map((joule, i) => {
      const bar = element("i", { class: `face${i + 1}`, title: `work of friction on face${i + 1}` });
      bar.style.width = `${(60 * joule) / most}px`;
      return element("span", { class: "wear" }, bar, `face${i + 1} ${formatNumber(joule, 3)} J`);
    });
    return element("div", { class: "pair" }, element("b", {}, name), line, ...wear);
  });
  return element(
    "section",
    { class: "faces" },
    element("header", {}, element("h2", {}, "Loaded faces"), element("span", { class: "note" }, "and the work of friction on each")),
    ...rows,
  );
}
