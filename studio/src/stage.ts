// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import {
  DirectionalLight,
  HemisphereLight,
  Matrix4,
  PCFShadowMap,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { type ArrowSource, Arrows, elementForces, givenForces, jointReactions } from "./arrows";
import { Bodies } from "./bodies";
import type { Clock } from "./clock";
import { element } from "./dom";
import { Elements } from "./elements";
import { Eye } from "./eye";
import { formatNumber } from "./format";
import { Framing } from "./framing";
import { Gizmo } from "./gizmo";
import { axes, Environment, Ground } from "./ground";
import { Lines, springForces } from "./lines";
import { Paths } from "./paths";
import type { Recording } from "./recording";
import { Spotlight, type Subject } from "./spotlight";
import { cssColor, paletteColor } from "./theme";
import { Frames, massCentres, type TracedPoint, Traces } from "./traces";

const kManyBodies = 300; // above, shadows and names cost more than they give

export type StandardView = "front" | "side" | "top" | "iso";

// A kind of arrows that can be shown; made when it first is.
interface ArrowKind {
  name: string;
  title: string;
  color: string;
  shown: boolean;
  sources: (moment: boolean) => ArrowSource[];
  made?: Arrows[];
}

// The scene: the mechanism in its world, seen by a camera that the reader turns. Drawn only when something has changed.
export class Stage {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly eye: Eye;
  private readonly sun = new DirectionalLight(0xffffff, 2.2);
  private readonly sky = new HemisphereLight(0xffffff, 0x8890a0, 2.4);
  private readonly bodies: Bodies;
  private readonly ghost: Bodies | undefined;
  private readonly environment: Environment;
  private readonly ground: Ground;
  private readonly lines: Lines;
  private readonly traces: Traces;
  private readonly ghostTraces: Traces | undefined;
  private pointTraces: Traces | undefined;
  private readonly tracedPoints: TracedPoint[] = [];
  private readonly paths: Paths;
  private readonly frames: Frames;
  private readonly elements: Elements;
  private readonly arrowKinds: ArrowKind[];
  private readonly framing: Framing;
  private readonly gizmo: Gizmo;
  private readonly spotlight = new Spotlight();
  private readonly scenery: { bodies: Matrix4[]; environment: Matrix4[]; elements: Matrix4[] };
  private readonly ghostPoses: Matrix4[];
  private readonly labels: HTMLElement[] = [];
  private readonly labelLayer = element("div", { class: "labels", hidden: "" });
  private readonly scale = element("div", { class: "scale" });
  private readonly followed = new Vector3();
  private follows = false;
  private selected = -1;
  private stale = true; // poses
  private scheduled = false;
  private watchers: (() => void)[] = [];

  onPick: (body: number) => void = () => {};
  onFollow: (on: boolean) => void = () => {};
  onTrace: ((point: TracedPoint | undefined) => void) | undefined; // the next click chooses a point instead of a body

  constructor(
    private readonly container: HTMLElement,
    private readonly recording: Recording,
    private readonly clock: Clock,
    private readonly beside?: Recording,
  ) {
    const { data } = recording;
    const count = data.bodies.length;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = count <= kManyBodies;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.domElement.setAttribute("aria-label", "animation of the motion");
    container.prepend(this.renderer.domElement);

    const gravity = new Vector3(...data.gravity);
    const up = gravity.length() > 0 ? gravity.clone().normalize().negate() : new Vector3(0, 0, 1);
    const matrices = (list: readonly unknown[]): Matrix4[] => list.map(() => new Matrix4());
    this.scenery = {
      bodies: matrices(recording.bodies),
      environment: matrices(recording.environment),
      elements: matrices(recording.elements),
    };
    this.ghostPoses = matrices(beside?.bodies ?? []);
    this.bodies = new Bodies(data);
    this.ghost = beside && new Bodies(beside.data, true);
    this.framing = new Framing(recording, this.bodies, up);
    const { radius, machine, center, level } = this.framing;
    this.environment = new Environment(data, machine);
    this.ground = new Ground(up, center, level, radius, machine, gravity.length() > 0);
    this.ground.group.visible = !data.environment.some((body) => body.surface);
    this.lines = new Lines(data.lines, machine, up.clone().negate());
    this.traces = new Traces(recording, massCentres(recording));
    this.ghostTraces = beside && new Traces(beside, massCentres(beside));
    this.paths = new Paths(data.paths, machine);
    this.frames = new Frames(count, 0.12 * machine);
    this.frames.object.visible = false;
    this.elements = new Elements(recording, machine);
    this.arrowKinds = this.listArrows();
    this.scene.add(
      this.ground.group,
      this.environment.group,
      this.bodies.group,
      this.lines.group,
      this.traces.object,
      this.paths.group,
      this.frames.object,
      this.elements.group,
      axes(0.1 * machine),
      this.sky,
      this.sun,
      this.sun.target,
    );
    if (this.ghost && this.ghostTraces) this.scene.add(this.ghost.group, this.ghostTraces.object);
    this.makeSun();

    this.eye = new Eye(this.renderer.domElement, this.framing, () => this.invalidate());
    this.gizmo = new Gizmo(data.gravity);
    container.append(this.labelLayer, this.spotlight.node, this.gizmo.node, this.scale);
    for (const body of data.bodies.slice(0, kManyBodies)) {
      const label = element("span", {}, body.name);
      this.labels.push(label);
      this.labelLayer.append(label);
    }
    for (const kind of this.arrowKinds) if (kind.shown) this.makeArrows(kind);

    clock.subscribe(() => {
      this.stale = true;
      this.invalidate();
    });
    this.pose();
    this.follows = this.framing.travels;
    this.anchor();
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
    this.handlePointer();
    this.paint();
    this.tellScale();
  }

  get showsManyBodies(): boolean {
    return this.scenery.bodies.length > 12;
  }

  get followsNow(): boolean {
    return this.follows;
  }

  // Half of what is seen at first [m].
  get reach(): number {
    return this.framing.radius;
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  // Kinds of arrows there are, with whether each is shown.
  get arrows(): { name: string; title: string; shown: boolean }[] {
    return this.arrowKinds;
  }

  // The whole motion, from where it is best seen, or from a side.
  fit(from?: StandardView): void {
    this.setFollow(false);
    this.eye.show({ direction: from ? this.framing.standardDirection(from) : this.framing.viewDirection() });
    this.invalidate();
  }

  // A side of what is looked at: of the machine if that is followed.
  lookFrom(from: StandardView): void {
    const direction = this.framing.standardDirection(from);
    this.eye.show(this.follows ? { direction, around: this.lookedAt() } : { direction });
    this.invalidate();
  }

  setParallel(on: boolean): void {
    this.eye.setParallel(on);
    this.invalidate();
  }

  select(body: number): void {
    this.selected = body;
    this.bodies.select(body);
    this.traces.select(body);
    this.labels.forEach((label, i) => label.classList.toggle("dimmed", body >= 0 && i !== body));
    this.anchor();
    this.invalidate();
  }

  hide(body: number, on: boolean): void {
    for (const drawn of [this.bodies, this.ghost]) {
      if (on) drawn?.hidden.add(body);
      else drawn?.hidden.delete(body);
    }
    this.stale = true;
    this.invalidate();
  }

  point(subject: Subject | undefined): void {
    this.spotlight.show(subject);
    this.invalidate();
  }

  showTraces(on: boolean): void {
    for (const object of [this.traces.object, this.ghostTraces?.object, this.paths.group]) if (object) object.visible = on;
    this.invalidate();
  }

  // Also the path of this point of a body; none: only those of mass centres again.
  tracePoint(point: TracedPoint | undefined): void {
    if (point) this.tracedPoints.push(point);
    else this.tracedPoints.length = 0;
    if (this.pointTraces) this.scene.remove(this.pointTraces.object);
    this.pointTraces = new Traces(this.recording, this.tracedPoints);
    this.scene.add(this.pointTraces.object);
    this.stale = true;
    this.invalidate();
  }

  showFrames(on: boolean): void {
    this.frames.object.visible = on;
    this.invalidate();
  }

  showElements(on: boolean): void {
    this.elements.group.visible = on;
    this.invalidate();
  }

  showArrows(name: string, on: boolean): void {
    const kind = this.arrowKinds.find((one) => one.name === name)!;
    kind.shown = on;
    if (on) this.makeArrows(kind);
    for (const arrows of kind.made ?? []) arrows.group.visible = on;
    this.stale = true;
    this.tellScale();
    this.invalidate();
  }

  showNames(on: boolean): void {
    this.labelLayer.hidden = !on;
    this.invalidate();
  }

  // The camera moves along with the chosen body, or with the mass centre of all.
  follow(on: boolean): void {
    this.setFollow(on);
    if (on && this.framing.travels) this.eye.show({ direction: this.eye.direction, around: this.lookedAt() });
    this.invalidate();
  }

  // Colours again: the scheme has changed.
  paint(): void {
    for (const painted of [this.bodies, this.environment, this.ground, this.lines, this.paths, this.elements]) painted.paint();
    this.ghost?.paint();
    for (const { made } of this.arrowKinds) for (const arrows of made ?? []) arrows.paint();
    this.sky.groundColor.set(cssColor("bounce"));
    this.sky.intensity = Number(cssColor("sky"));
    this.stale = true; // the colours of strings are those of a moment
    this.invalidate();
  }

  // Called after every picture, while it still is in the canvas; until the answer is called.
  watch(watcher: () => void): () => void {
    this.watchers.push(watcher);
    this.invalidate();
    return () => (this.watchers = this.watchers.filter((one) => one !== watcher));
  }

  // Draws at once: for a picture that is taken.
  drawNow(): void {
    this.draw();
  }

  refresh(): void {
    this.stale = true;
    this.invalidate();
  }

  private listArrows(): ArrowKind[] {
    const { recording } = this;
    const given = [...new Set(recording.data.arrows.map(({ group }) => group))];
    const kinds: ArrowKind[] = [
      {
        name: "Forces",
        title: "Forces of the constraints on their bodies",
        color: "force",
        shown: true,
        sources: (moment) => (moment ? [] : elementForces(recording)),
      },
      ...given.map((group) => ({
        name: group.charAt(0).toUpperCase() + group.slice(1),
        title: `Forces and, with two heads, moments of ${group}`,
        color: group === "drives" ? "accent" : "given",
        shown: true,
        sources: (moment: boolean) => givenForces(recording, group, moment),
      })),
      {
        name: "Springs",
        title: "Forces of the springs on their bodies",
        color: "tight",
        shown: false,
        sources: (moment) => (moment ? [] : springForces(recording.data.lines)),
      },
      {
        name: "Joint forces",
        title: "Reactions of the joints on the bodies they carry",
        color: "event",
        shown: false,
        sources: (moment) => (moment ? [] : jointReactions(recording, "force")),
      },
      {
        name: "Joint moments",
        title: "Moments of the joints on the bodies they carry, about the body origins",
        color: "event",
        shown: false,
        sources: (moment) => (moment ? jointReactions(recording, "moment") : []),
      },
    ];
    return kinds.filter(({ sources }) => sources(false).length + sources(true).length > 0);
  }

  private makeArrows(kind: ArrowKind): void {
    kind.made ??= [false, true].flatMap((moment) => {
      const sources = kind.sources(moment);
      return sources.length > 0 ? new Arrows(kind.name, moment, kind.color, sources, this.framing.machine) : [];
    });
    for (const { group } of kind.made) if (!group.parent) this.scene.add(group);
  }

  private shownArrows(moment: boolean): Arrows[] {
    return this.arrowKinds.flatMap(({ made }) => made ?? []).filter((arrows) => arrows.visible && arrows.isMoment === moment);
  }

  // What the longest arrow stands for: the most of all kinds that are shown.
  private arrowScale(moment: boolean): { usual: number; largest: number } {
    return this.shownArrows(moment).reduce(
      (most, { usual, largest }) => ({ usual: Math.max(most.usual, usual), largest: Math.max(most.largest, largest) }),
      { usual: 0, largest: 0 },
    );
  }

  private tellScale(): void {
    const { gravity, environment } = this.recording.data;
    const g = Math.hypot(...gravity);
    const grid = environment.some((body) => body.surface) ? "" : `grid ${formatNumber(this.ground.step)} m`;
    const told = [false, true].map((moment) => {
      const { usual, largest } = this.arrowScale(moment);
      const unit = moment ? "N·m" : "N";
      const peak = usual < largest ? `, peaks up to ${formatNumber(largest)} ${unit}` : "";
      return largest > 0 ? `longest arrow ${formatNumber(usual)} ${unit}${peak}` : "";
    });
    const texts = [grid, g > 0 ? `g = ${formatNumber(g)} m/s²` : "no gravity", ...told];
    this.scale.textContent = texts.filter(Boolean).join(" · ");
  }

  private makeSun(): void {
    const { machine } = this.framing;
    this.sun.castShadow = true;
    const { camera, mapSize } = this.sun.shadow;
    const reach = this.framing.travels ? 2.5 * machine : 1.6 * machine;
    Object.assign(camera, { left: -reach, right: reach, bottom: -reach, top: reach, near: 0.5 * machine, far: 9 * machine });
    mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.sun.shadow.normalBias = 0.004 * machine;
  }

  // It stands over the machine, so that a shadow is sharp wherever the machine goes.
  private placeSun(): void {
    const { machine, center, up, travels } = this.framing;
    const over = travels ? this.centreOf(-1) : center;
    const side = new Vector3(0.45, -0.6, 0.2).addScaledVector(up, 1.4).normalize();
    this.sun.position.copy(over).addScaledVector(side, 4 * machine);
    this.sun.target.position.copy(over);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.eye.resize(width / height);
    if (!this.eye.moved) {
      const direction = this.framing.viewDirection();
      this.eye.show(this.follows && this.framing.travels ? { direction, around: this.lookedAt() } : { direction });
    }
    this.invalidate();
  }

  private handlePointer(): void {
    const canvas = this.renderer.domElement;
    const raycaster = new Raycaster();
    const tip = element("div", { class: "tip", hidden: "" });
    this.container.append(tip);
    let pressed = { x: 0, y: 0 };
    const aim = (event: MouseEvent): Raycaster => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const at = new Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
      raycaster.setFromCamera(at, this.eye.camera);
      return raycaster;
    };
    canvas.addEventListener("pointerdown", (event) => (pressed = { x: event.clientX, y: event.clientY }));
    canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) >= 4) return;
      const hit = this.bodies.pick(aim(event));
      if (!this.onTrace) {
        this.onPick(hit?.body ?? -1);
        return;
      }
      const place = hit && hit.body >= 0 ? hit : undefined;
      this.onTrace(
        place && {
          body: place.body,
          point: place.point.clone().applyMatrix4(this.scenery.bodies[place.body]!.clone().invert()),
          color: paletteColor(this.tracedPoints.length + 4),
        },
      );
    });
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.bodies.pick(aim(event)) ?? this.raycastGround(raycaster);
      if (!hit) return;
      this.eye.lookAt(hit.point);
      this.anchor();
      this.invalidate();
    });
    canvas.addEventListener("pointermove", (event) => {
      const body = event.buttons === 0 ? this.recording.data.bodies[this.bodies.pick(aim(event))?.body ?? -1] : undefined;
      tip.hidden = !body;
      canvas.style.cursor = this.onTrace ? "crosshair" : body ? "pointer" : "";
      if (!body) return;
      tip.textContent = `${body.name} · ${formatNumber(body.mass)} kg`;
      const { left, top, width } = this.container.getBoundingClientRect();
      const x = Math.min(event.clientX - left + 14, width - tip.offsetWidth - 4);
      tip.style.transform = `translate(${x}px, ${event.clientY - top + 14}px)`;
    });
    canvas.addEventListener("pointerleave", () => (tip.hidden = true));
  }

  private raycastGround(raycaster: Raycaster): { point: Vector3 } | undefined {
    const shown = [this.environment.group, this.ground.group].filter((group) => group.visible);
    return raycaster.intersectObjects(shown, true)[0];
  }

  private setFollow(on: boolean): void {
    if (on !== this.follows) this.onFollow(on);
    this.follows = on;
    this.anchor();
  }

  private invalidate(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  private pose(): void {
    const { recording, scenery, clock } = this;
    const instant = recording.locate(clock.time);
    recording.bodies.forEach((track, i) => track.matrixAt(instant, scenery.bodies[i]!));
    recording.environment.forEach((track, i) => track.matrixAt(instant, scenery.environment[i]!));
    recording.elements.forEach(({ frame }, i) => frame.matrixAt(instant, scenery.elements[i]!));
    this.bodies.update(scenery.bodies);
    if (this.beside && this.ghost) {
      const there = this.beside.locate(clock.time);
      this.beside.bodies.forEach((track, i) => track.matrixAt(there, this.ghostPoses[i]!));
      this.ghost.update(this.ghostPoses);
      this.ghostTraces?.update(clock.time - this.beside.start);
    }
    this.environment.update(scenery.environment);
    this.lines.update(scenery, instant);
    this.frames.update(scenery.bodies);
    this.elements.update(scenery.elements, clock.time);
    for (const moment of [false, true]) {
      const { usual } = this.arrowScale(moment);
      for (const arrows of this.shownArrows(moment)) arrows.update(instant, scenery, usual, this.bodies.hidden);
    }
    for (const traces of [this.traces, this.pointTraces]) traces?.update(clock.time - recording.start);
    this.placeSun();
    this.stale = false;
  }

  private draw(): void {
    if (this.stale) {
      this.pose();
      if (this.follows) {
        const shift = this.lookedAt().sub(this.followed);
        this.followed.add(shift);
        this.eye.shift(shift);
      }
    }
    const { camera } = this.eye;
    this.renderer.render(this.scene, camera);
    this.gizmo.update(camera);
    this.spotlight.update(this.scenery, camera, this.container.clientWidth, this.container.clientHeight);
    if (!this.labelLayer.hidden) this.placeLabels();
    for (const watcher of this.watchers) watcher();
  }

  private anchor(): void {
    this.pose();
    this.followed.copy(this.lookedAt());
  }

  private lookedAt(): Vector3 {
    return this.centreOf(this.selected);
  }

  // The mass centre of a body, or of all.
  private centreOf(chosen: number): Vector3 {
    const sum = new Vector3();
    const com = new Vector3();
    let mass = 0;
    this.recording.data.bodies.forEach((body, i) => {
      if (chosen >= 0 && i !== chosen) return;
      const weight = chosen >= 0 ? 1 : body.mass;
      sum.addScaledVector(com.set(...body.com).applyMatrix4(this.scenery.bodies[i]!), weight);
      mass += weight;
    });
    return mass > 0 ? sum.divideScalar(mass) : sum;
  }

  private placeLabels(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    const point = new Vector3();
    const placed: { x: number; y: number; half: number }[] = [];
    this.labels.forEach((label, i) => {
      point
        .set(...this.recording.data.bodies[i]!.com)
        .applyMatrix4(this.scenery.bodies[i]!)
        .project(this.eye.camera);
      const at = { x: ((point.x + 1) / 2) * width, y: ((1 - point.y) / 2) * height, half: 4 + 3.6 * label.textContent!.length };
      // A name that would stand on another one waits, unless it is the chosen one.
      const crowded = placed.some((other) => Math.abs(other.y - at.y) < 18 && Math.abs(other.x - at.x) < other.half + at.half);
      label.hidden = point.z > 1 || this.bodies.hidden.has(i) || (crowded && i !== this.selected);
      if (label.hidden) return;
      placed.push(at);
      label.style.transform = `translate(${at.x}px, ${at.y}px) translate(-50%, -50%)`;
    });
  }
}

