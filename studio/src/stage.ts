// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import {
  DirectionalLight,
  HemisphereLight,
  Matrix4,
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Bodies } from "./bodies";
import type { Clock } from "./clock";
import { Elements } from "./elements";
import { element } from "./dom";
import { formatNumber } from "./format";
import { Framing } from "./framing";
import { Gizmo } from "./gizmo";
import { axes, Environment, Ground } from "./ground";
import { Lines } from "./lines";
import { Paths } from "./paths";
import type { Recording } from "./recording";
import { Frames, Traces } from "./traces";
import { cssColor } from "./theme";

const kManyBodies = 300; // above, shadows and names cost more than they give

// The scene: the mechanism in its world, seen by a camera that the reader turns. Drawn only when something has changed.
export class Stage {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(28, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly sun = new DirectionalLight(0xffffff, 2.2);
  private readonly sky = new HemisphereLight(0xffffff, 0x8890a0, 2.4);
  private readonly bodies: Bodies;
  private readonly environment: Environment;
  private readonly ground: Ground;
  private readonly lines: Lines;
  private readonly traces: Traces;
  private readonly paths: Paths;
  private readonly frames: Frames;
  private readonly elements: Elements;
  private readonly framing: Framing;
  private readonly gizmo: Gizmo;
  private readonly bodyPoses: Matrix4[];
  private readonly environmentPoses: Matrix4[];
  private readonly labels: HTMLElement[] = [];
  private readonly labelLayer = element("div", { class: "labels", hidden: "" });
  private readonly scale = element("div", { class: "scale" });
  private readonly followed = new Vector3();
  private follows = false;
  private selected = -1;
  private stale = true; // poses
  private scheduled = false;
  private touched = false; // the reader has moved the camera

  onPick: (body: number) => void = () => {};

  constructor(
    private readonly container: HTMLElement,
    private readonly recording: Recording,
    private readonly clock: Clock,
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
    this.bodyPoses = recording.bodies.map(() => new Matrix4());
    this.environmentPoses = recording.environment.map(() => new Matrix4());
    this.bodies = new Bodies(data);
    this.framing = new Framing(recording, this.bodies, up);
    const { radius, center, level } = this.framing;
    this.environment = new Environment(data, radius);
    this.ground = new Ground(up, center, level, radius, gravity.length() > 0);
    this.ground.group.visible = !data.environment.some((body) => body.surface);
    this.lines = new Lines(data.lines, radius, up.clone().negate());
    this.traces = new Traces(recording);
    this.paths = new Paths(data.paths, radius);
    this.frames = new Frames(count, 0.09 * radius);
    this.frames.object.visible = false;
    this.elements = new Elements(recording, radius);
    this.scene.add(
      this.ground.group,
      this.environment.group,
      this.bodies.group,
      this.lines.group,
      this.traces.object,
      this.paths.group,
      this.frames.object,
      this.elements.frames,
      this.elements.forces,
      axes(0.1 * radius),
      this.sky,
    );
    this.placeSun(up, center, radius);

    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => (this.touched = true));
    this.gizmo = new Gizmo(data.gravity);
    container.append(this.labelLayer, this.gizmo.node, this.scale);
    this.scale.textContent = this.scaleText();
    for (const body of data.bodies.slice(0, kManyBodies)) {
      const label = element("span", {}, body.name);
      this.labels.push(label);
      this.labelLayer.append(label);
    }

    clock.subscribe(() => {
      this.stale = true;
      this.invalidate();
    });
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
    this.handlePointer();
    this.paint();
  }

  get showsManyBodies(): boolean {
    return this.bodyPoses.length > 12;
  }

  fit(): void {
    this.touched = false;
    this.framing.fit(this.camera, this.controls.target, this.framing.viewDirection());
    this.controls.update();
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

  showTraces(on: boolean): void {
    this.traces.object.visible = on;
    this.paths.group.visible = on;
    this.invalidate();
  }

  showFrames(on: boolean): void {
    this.frames.object.visible = on;
    this.invalidate();
  }

  showElements(on: boolean): void {
    this.elements.frames.visible = on;
    this.invalidate();
  }

  showForces(on: boolean): void {
    this.elements.forces.visible = on;
    this.scale.textContent = this.scaleText();
    this.invalidate();
  }

  showNames(on: boolean): void {
    this.labelLayer.hidden = !on;
    this.invalidate();
  }

  // The camera moves along with the chosen body, or with the mass centre of all.
  follow(on: boolean): void {
    this.follows = on;
    this.anchor();
  }

  // Colours again: the scheme has changed.
  paint(): void {
    for (const painted of [this.bodies, this.environment, this.ground, this.lines, this.paths, this.elements]) painted.paint();
    this.sky.groundColor.set(cssColor("bounce"));
    this.sky.intensity = Number(cssColor("sky"));
    this.stale = true; // the colours of strings are those of a moment
    this.invalidate();
  }

  private scaleText(): string {
    const { gravity, environment } = this.recording.data;
    const g = Math.hypot(...gravity);
    const grid = environment.some((body) => body.surface) ? "" : `grid ${formatNumber(this.ground.step)} m`;
    const { largest, scale, forces } = this.elements;
    const peak = scale < largest ? `, peaks up to ${formatNumber(largest)} N` : "";
    const arrow = forces.visible && largest > 0 ? `longest arrow ${formatNumber(scale)} N${peak}` : "";
    return [grid, g > 0 ? `g = ${formatNumber(g)} m/s²` : "no gravity", arrow].filter(Boolean).join(" · ");
  }

  private placeSun(up: Vector3, center: Vector3, radius: number): void {
    const side = new Vector3(0.45, -0.6, 0.2).addScaledVector(up, 1.4).normalize();
    this.sun.position.copy(center).addScaledVector(side, 4 * radius);
    this.sun.target.position.copy(center);
    this.sun.castShadow = true;
    const { camera, mapSize } = this.sun.shadow;
    const reach = 1.6 * radius;
    Object.assign(camera, { left: -reach, right: reach, bottom: -reach, top: reach, near: 0.5 * radius, far: 9 * radius });
    mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.sun.shadow.normalBias = 0.004 * radius;
    this.scene.add(this.sun, this.sun.target);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.touched) this.invalidate();
    else this.fit();
  }

  private handlePointer(): void {
    const canvas = this.renderer.domElement;
    const raycaster = new Raycaster();
    const tip = element("div", { class: "tip", hidden: "" });
    this.container.append(tip);
    let pressed = { x: 0, y: 0 };
    const under = (event: PointerEvent): number => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const at = new Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
      raycaster.setFromCamera(at, this.camera);
      return this.bodies.pick(raycaster);
    };
    canvas.addEventListener("pointerdown", (event) => (pressed = { x: event.clientX, y: event.clientY }));
    canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 4) this.onPick(under(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      const body = event.buttons === 0 ? this.recording.data.bodies[under(event)] : undefined;
      tip.hidden = !body;
      canvas.style.cursor = body ? "pointer" : "";
      if (!body) return;
      tip.textContent = `${body.name} · ${formatNumber(body.mass)} kg`;
      const { left, top } = this.container.getBoundingClientRect();
      tip.style.transform = `translate(${event.clientX - left + 14}px, ${event.clientY - top + 14}px)`;
    });
    canvas.addEventListener("pointerleave", () => (tip.hidden = true));
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
    const instant = this.recording.locate(this.clock.time);
    this.recording.bodies.forEach((track, i) => track.matrixAt(instant, this.bodyPoses[i]!));
    this.recording.environment.forEach((track, i) => track.matrixAt(instant, this.environmentPoses[i]!));
    this.bodies.update(this.bodyPoses);
    this.environment.update(this.environmentPoses);
    this.lines.update(this.bodyPoses, this.environmentPoses, instant);
    this.frames.update(this.bodyPoses);
    this.elements.update(instant, this.clock.time);
    this.traces.update(this.clock.time - this.recording.start);
    this.stale = false;
  }

  private draw(): void {
    if (this.stale) {
      this.pose();
      if (this.follows) {
        const shift = this.lookedAt().sub(this.followed);
        this.followed.add(shift);
        this.camera.position.add(shift);
        this.controls.target.add(shift);
        this.controls.update();
      }
    }
    this.renderer.render(this.scene, this.camera);
    this.gizmo.update(this.camera);
    if (!this.labelLayer.hidden) this.placeLabels();
  }

  private anchor(): void {
    this.pose();
    this.followed.copy(this.lookedAt());
  }

  // The mass centre of the chosen body, or of all.
  private lookedAt(): Vector3 {
    const sum = new Vector3();
    const com = new Vector3();
    let mass = 0;
    this.recording.data.bodies.forEach((body, i) => {
      if (this.selected >= 0 && i !== this.selected) return;
      const weight = this.selected >= 0 ? 1 : body.mass;
      sum.addScaledVector(com.set(...body.com).applyMatrix4(this.bodyPoses[i]!), weight);
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
        .applyMatrix4(this.bodyPoses[i]!)
        .project(this.camera);
      const at = { x: ((point.x + 1) / 2) * width, y: ((1 - point.y) / 2) * height, half: 4 + 3.6 * label.textContent!.length };
      // A name that would stand on another one waits, unless it is the chosen one.
      const crowded = placed.some((other) => Math.abs(other.y - at.y) < 18 && Math.abs(other.x - at.x) < other.half + at.half);
      label.hidden = point.z > 1 || (crowded && i !== this.selected);
      if (label.hidden) return;
      placed.push(at);
      label.style.transform = `translate(${at.x}px, ${at.y}px) translate(-50%, -50%)`;
    });
  }
}
