// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { BodyTree } from "./body_tree";
import type { Clock } from "./clock";
import type { ReportDocument } from "./document";
import { byId, element, toggleButton } from "./dom";
import { canFilm, Film, savePicture } from "./film";
import { copyLink } from "./link";
import { menu } from "./menu";
import type { Plots } from "./plots";
import type { Stage, StandardView } from "./stage";

const kViews: readonly [StandardView, string][] = [
  ["front", "Front"],
  ["side", "Side"],
  ["top", "Top"],
  ["iso", "Iso"],
];

const action = (label: string, title: string, act: () => void): HTMLButtonElement =>
  element("button", { type: "button", title, onclick: act }, label);

// What can be done with the scene: bodies on the left; what is shown, from where, and what can be saved on the right.
export function addTools(stage: Stage, plots: Plots | undefined, clock: Clock, data: ReportDocument): void {
  byId("stage").append(
    element("div", { class: "tools left" }, ...bodyTools(stage, plots, data)),
    element("div", { class: "tools right" }, showMenu(stage, data), viewMenu(stage), saveMenu(stage, plots, clock, data)),
  );
}

function bodyTools(stage: Stage, plots: Plots | undefined, data: ReportDocument): HTMLElement[] {
  const chosen = element("select", { "aria-label": "Body", title: "A click on a body chooses it, too" });
  chosen.append(element("option", { value: "-1" }, `All bodies (${data.bodies.length})`));
  data.bodies.forEach(({ name }, index) => chosen.append(element("option", { value: String(index) }, name)));
  const choose = (body: number): void => {
    chosen.value = String(body);
    stage.select(body);
    tree.select(body);
    plots?.showBody(body);
  };
  const tree = new BodyTree(data, choose, (body, on) => stage.hide(body, on));
  chosen.addEventListener("change", () => choose(Number(chosen.value)));
  stage.onPick = choose;
  return [chosen, menu("Tree", "Bodies as they stand on each other; hide some", tree.node)];
}

function showMenu(stage: Stage, data: ReportDocument): HTMLElement {
  const traces = !stage.showsManyBodies;
  stage.showTraces(traces);
  const elements = toggleButton(
    "Constraints",
    "Axes of the constraints: red forbidden, green allowed; ring: rotation forbidden",
    true,
    (on) => stage.showElements(on),
  );
  return menu(
    "Show",
    "What is drawn",
    toggleButton("Traces", "Paths of the mass centres", traces, (on) => stage.showTraces(on)),
    tracePoint(stage),
    toggleButton("Names", "Names of the bodies", false, (on) => stage.showNames(on)),
    toggleButton("Frames", "Axes of the bodies, at their origins", false, (on) => stage.showFrames(on)),
    ...(data.elements.length > 0 ? [elements] : []),
    ...stage.arrows.map(({ name, title, shown }) => toggleButton(name, title, shown, (on) => stage.showArrows(name, on))),
  );
}

// The next click on a body chooses the point; a click elsewhere takes all chosen points away.
function tracePoint(stage: Stage): HTMLElement {
  const button = toggleButton("Trace a point", "Click a point of a body: its path is drawn; click beside: no such paths", false, (on) => {
    stage.onTrace = on
      ? (point) => {
          stage.tracePoint(point);
          stage.onTrace = undefined;
          button.setAttribute("aria-pressed", "false");
        }
      : undefined;
  });
  return button;
}

function viewMenu(stage: Stage): HTMLElement {
  const follow = toggleButton(
    "Follow",
    "Move along with the chosen body, or with the mass centre of all",
    stage.followsNow,
    (on) => stage.follow(on),
  );
  stage.onFollow = (on) => follow.setAttribute("aria-pressed", String(on));
  return menu(
    "View",
    "Choose the view; double-click a point to centre it",
    action("Fit", "Show the whole motion", () => stage.fit()),
    follow,
    ...kViews.map(([view, label]) => action(label, `Look from the ${view === "iso" ? "corner" : view}`, () => stage.lookFrom(view))),
    toggleButton("Orthographic", "Without perspective", false, (on) => stage.setParallel(on)),
  );
}

function saveMenu(stage: Stage, plots: Plots | undefined, clock: Clock, data: ReportDocument): HTMLElement {
  const film = new Film(stage, clock, data.title);
  const record = action("Video", "Play the run from its start and save it as a video (WebM)", () => film.toggle());
  film.onChange = (on) => (record.textContent = on ? "Stop" : "Video");
  const link = action("Link", "Put this moment into the address, and copy it", () => {
    void copyLink(clock, plots!.own).then(() => {
      link.textContent = "Copied";
      setTimeout(() => (link.textContent = "Link"), 1200);
    });
  });
  return menu(
    "Save",
    "Picture, video, link; curves are saved at each plot",
    action("Picture", "Save the scene as PNG", () => savePicture(stage, clock, data.title)),
    ...(canFilm() && clock.end > clock.start ? [record] : []),
    ...(plots ? [link] : []),
  );
}
