// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { kSince } from "./cards";
import type { Clock } from "./clock";
import { element, toggleButton } from "./dom";
import { formatCount, formatTime, timeDecimals } from "./format";
import type { Recording } from "./recording";

const kSpeeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

const kMostMarks = 60; // each by itself; more are put together
const kWidthOfMark = 7; // pixels, of marks that are put together

interface Mark {
  t: number;
  name: string; // "": of several
  title: string;
  kind: "event" | "violation" | "doubt";
}

// Play, pause, step and scrub; with the events of the run marked on its length.
export class Timeline {
  private readonly fill = element("div", { class: "fill" });
  private readonly thumb = element("div", { class: "thumb" });
  private readonly marks = element("div", { class: "marks" });
  private readonly markTimes = new Map<Element, number>();
  private readonly track: HTMLElement;
  private readonly now = element("output", { class: "now" });
  private readonly playButton = element("button", { type: "button", class: "play" });
  private readonly speed = element("select", { "aria-label": "Speed", title: "Speed  [ slower  ] faster" });
  private readonly decimals: number;

  constructor(
    readonly node: HTMLElement,
    private readonly recording: Recording,
    private readonly clock: Clock,
  ) {
    this.decimals = timeDecimals(recording.end - recording.start);
    this.track = element(
      "div",
      {
        class: "track",
        role: "slider",
        tabindex: "0",
        "aria-label": "Time",
        "aria-valuemin": String(clock.start),
        "aria-valuemax": String(clock.end),
      },
      element("div", { class: "rail" }, this.fill),
      this.marks,
      this.thumb,
    );
    this.playButton.addEventListener("click", () => clock.toggle());
    const button = (icon: string, title: string, act: () => void): HTMLElement =>
      element("button", { type: "button", class: `icon ${icon}`, title, "aria-label": title, onclick: act });
    node.append(
      element(
        "div",
        { class: "buttons" },
        button("to-start", "To the start (Home)", () => clock.seek(clock.start)),
        this.playButton,
        button("to-end", "To the end (End)", () => clock.seek(clock.end)),
      ),
      element(
        "div",
        { class: "clock" },
        this.now,
        element("span", {}, ` / ${formatTime(clock.end, Math.min(this.decimals, 2))} s`),
      ),
      this.track,
      element(
        "div",
        { class: "options" },
        this.speed,
        toggleButton("Loop", "Begin again at the end", false, (on) => (clock.loops = on)),
      ),
    );
    this.chooseSpeed();
    this.placeMarks();
    this.scrub();
    addEventListener("keydown", (event) => this.press(event));
    clock.subscribe(() => this.update());
    this.update();
  }

  private update(): void {
    const { clock } = this;
    const span = clock.end - clock.start;
    const fraction = span > 0 ? (clock.time - clock.start) / span : 0;
    this.fill.style.width = `${100 * fraction}%`;
    this.thumb.style.left = `${100 * fraction}%`;
    this.now.textContent = `${formatTime(clock.time, this.decimals)} s`;
    this.track.setAttribute("aria-valuenow", String(clock.time));
    this.track.setAttribute("aria-valuetext", this.now.textContent);
    const label = clock.playing ? "Pause (Space)" : "Play (Space)";
    if (this.playButton.title !== label) {
      this.playButton.title = label;
      this.playButton.setAttribute("aria-label", label);
      this.playButton.dataset.playing = String(clock.playing);
    }
  }

  // A short run is slowed and a long one hastened so that it plays in half a minute at most, in three seconds at least.
  private chooseSpeed(): void {
    const span = this.clock.end - this.clock.start;
    const wish = span > 30 ? span / 30 : span < 3 ? span / 3 : 1;
    const nearest = kSpeeds.reduce((best, speed) =>
      Math.abs(Math.log(speed / wish)) < Math.abs(Math.log(best / wish)) ? speed : best,
    );
    for (const speed of kSpeeds) this.speed.append(element("option", { value: String(speed) }, `${speed}×`));
    this.speed.addEventListener("change", () => (this.clock.speed = Number(this.speed.value)));
    this.setSpeed(kSpeeds.indexOf(span > 0 ? nearest : 1));
  }

  private setSpeed(index: number): void {
    const speed = kSpeeds[Math.min(Math.max(index, 0), kSpeeds.length - 1)]!;
    this.clock.speed = speed;
    this.speed.value = String(speed);
  }

  private tell(t: number): string {
    return `t = ${formatTime(t, this.decimals)} s`;
  }

  // Moments from which on a verdict is not good.
  private verdictMarks(): Mark[] {
    return this.recording.data.verdicts.flatMap(({ subject, verdict, first_violation: t }) =>
      t === null
        ? []
        : {
            t,
            name: `${subject}: ${verdict}`,
            title: `${subject}: ${kSince[verdict]} ${this.tell(t)}`,
            kind: verdict === "violated" || verdict === "impossible" ? ("violation" as const) : ("doubt" as const),
          },
    );
  }

  // Of many events, one mark a stretch of the time line.
  private eventMarks(): Mark[] {
    const { events } = this.recording;
    const one = (i: number): Mark => {
      const [t, name] = [events.times[i]!, events.nameOf(i)];
      return { t, name, title: `${name}, ${this.tell(t)}`, kind: "event" };
    };
    if (events.count <= kMostMarks) return Array.from(events.times, (_, i) => one(i));
    const { start, end } = this.clock;
    const stretches = Math.max(Math.floor(this.marks.clientWidth / kWidthOfMark), 1);
    const found: { first: number; last: number; count: number }[] = [];
    events.times.forEach((t, i) => {
      const stretch = Math.min(Math.floor(((t - start) / (end - start || 1)) * stretches), stretches - 1);
      const here = (found[stretch] ??= { first: i, last: i, count: 0 });
      here.last = i;
      here.count++;
    });
    return found.flatMap(({ first, last, count }) => {
      if (count === 1) return one(first);
      const title = `${formatCount(count)} events, ${this.tell(events.times[first]!)} to ${this.tell(events.times[last]!)}`;
      return { t: events.times[first]!, name: "", title, kind: "event" as const };
    });
  }

  private placeMarks(): void {
    const span = this.clock.end - this.clock.start || 1;
    const place = (): void => {
      this.markTimes.clear();
      const marks = [...this.eventMarks(), ...this.verdictMarks()].sort((a, b) => a.t - b.t);
      const nodes = marks.map(({ t, name, title, kind }) => {
        const mark = element("button", { type: "button", class: `mark ${kind}`, tabindex: "-1", title }, element("span", {}, name));
        mark.style.left = `${(100 * (t - this.clock.start)) / span}%`;
        this.markTimes.set(mark, t);
        return mark;
      });
      this.marks.replaceChildren(...nodes);
      this.thinLabels();
    };
    place();
    let width = this.marks.clientWidth;
    new ResizeObserver(() => {
      if (this.recording.events.count > kMostMarks && this.marks.clientWidth !== width) place();
      else this.thinLabels();
      width = this.marks.clientWidth;
    }).observe(this.marks);
  }

  // Names stand where there is room for them; all can be read as tooltips and in the list of events.
  private thinLabels(): void {
    let free = -Infinity;
    const { left: begin, right: limit } = this.marks.getBoundingClientRect();
    for (const mark of this.marks.children) {
      const label = mark.firstElementChild as HTMLElement;
      label.classList.remove("crowded", "ends");
      const { left, width } = label.getBoundingClientRect();
      if (width === 0) continue;
      const at = mark.getBoundingClientRect();
      const ends = left + width > limit + 8;
      const from = ends ? at.left - width : left;
      label.classList.toggle("ends", ends);
      const fits = from >= free && from >= begin - 8;
      label.classList.toggle("crowded", !fits);
      if (fits) free = from + width + 10;
    }
  }

  // The pointer takes the time along; on a mark, the mark's time until it has moved away.
  private scrub(): void {
    let held: number | undefined;
    const seek = (event: PointerEvent): void => {
      const { left, width } = this.track.getBoundingClientRect();
      this.clock.seek(this.clock.start + ((event.clientX - left) / width) * (this.clock.end - this.clock.start));
    };
    this.track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.track.setPointerCapture(event.pointerId);
      this.clock.pause();
      const markTime = this.markTimes.get((event.target as Element).closest(".mark") ?? this.track);
      held = markTime === undefined ? undefined : event.clientX;
      if (markTime === undefined) seek(event);
      else this.clock.seek(markTime);
    });
    this.track.addEventListener("pointermove", (event) => {
      if (!this.track.hasPointerCapture(event.pointerId)) return;
      if (held !== undefined && Math.abs(event.clientX - held) < 4) return;
      held = undefined;
      seek(event);
    });
  }

  private press(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    const { clock, recording } = this;
    const step = (count: number): void => {
      clock.pause();
      clock.seek(recording.neighbour(clock.time, (event.shiftKey ? 10 : 1) * count));
    };
    const actions: Record<string, () => void> = {
      " ": () => clock.toggle(),
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      Home: () => clock.seek(clock.start),
      End: () => clock.seek(clock.end),
      "[": () => this.setSpeed(kSpeeds.indexOf(clock.speed) - 1),
      "]": () => this.setSpeed(kSpeeds.indexOf(clock.speed) + 1),
    };
    const action = actions[event.key];
    if (!action) return;
    // A button in focus would take the space bar for a click.
    event.preventDefault();
    if (event.key === " ") target.blur();
    action();
  }
}
