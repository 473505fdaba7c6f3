// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { endBanner, eventList, factList, verdictCards, warningList } from "./cards";
import { Clock } from "./clock";
import { readDocument, type ReportDocument } from "./document";
import { byId, element, toggleButton } from "./dom";
import { faceBands } from "./faces";
import { gripCards } from "./grips";
import { Plots } from "./plots";
import { Recording } from "./recording";
import { Stage } from "./stage";
import { isStudyDocument } from "./study_document";
import { showStudy } from "./study_page";
import { Theme } from "./theme";
import { Timeline } from "./timeline";

function start(): void {
  const data = readDocument();
  const theme = new Theme();
  document.title = `${data.title} · Vinculum`;
  byId("title").textContent = data.title;
  byId("scheme").addEventListener("click", () => theme.toggle());
  if (isStudyDocument(data)) showStudy(data, theme);
  else showRun(data, theme);
  document.documentElement.dataset.ready = "true";
}

function showRun(data: ReportDocument, theme: Theme): void {
  const recording = new Recording(data);
  const clock = new Clock(recording.start, recording.end);

  const plots = new Plots(recording, clock);
  const banner = endBanner(data);
  byId("panel").append(
    ...(banner ? [banner] : []),
    ...(data.warnings.length > 0 ? [warningList(data)] : []),
    verdictCards(data, clock),
    ...(data.guides.length > 0 ? [faceBands(recording, clock)] : []),
    ...(data.grips.length > 0 ? [gripCards(recording, clock)] : []),
    plots.node,
    ...(data.events.length > 0 ? [eventList(data, clock)] : []),
    factList(data),
  );
  new Timeline(byId("timeline"), recording, clock);
  theme.subscribe(() => plots.paint());

  const stage = tryStage(recording, clock);
  if (stage) {
    addTools(stage, plots, data);
    theme.subscribe(() => stage.paint());
  }
  clock.seek(clock.start);
}

// Without WebGL there are still the verdicts and the curves.
function tryStage(recording: Recording, clock: Clock): Stage | undefined {
  const container = byId("stage");
  try {
    return new Stage(container, recording, clock);
  } catch (error) {
    container.replaceChildren(
      element("p", { class: "apology" }, `The animation needs WebGL, which this browser does not give: ${String(error)}`),
    );
    return undefined;
  }
}

function addTools(stage: Stage, plots: Plots, data: ReportDocument): void {
  const names = data.bodies.map((body) => body.name);
  const chosen = element("select", { "aria-label": "Body", title: "A click on a body chooses it, too" });
  chosen.append(element("option", { value: "-1" }, `All bodies (${names.length})`));
  names.forEach((name, index) => chosen.append(element("option", { value: String(index) }, name)));
  const choose = (body: number): void => {
    chosen.value = String(body);
    stage.select(body);
    plots.showBody(body);
  };
  chosen.addEventListener("change", () => choose(Number(chosen.value)));
  stage.onPick = choose;

  const traces = !stage.showsManyBodies;
  stage.showTraces(traces);
  const elements = [
    toggleButton("Constraints", "Axes of the constraints: red forbidden, green allowed; ring: rotation forbidden", true, (on) =>
      stage.showElements(on),
    ),
    toggleButton("Forces", "Forces of the constraints on their bodies", true, (on) => stage.showForces(on)),
  ];
  byId("stage").append(
    element("div", { class: "tools left" }, chosen),
    element(
      "div",
      { class: "tools right" },
      toggleButton("Traces", "Paths of the mass centres", traces, (on) => stage.showTraces(on)),
      toggleButton("Names", "Names of the bodies", false, (on) => stage.showNames(on)),
      toggleButton("Frames", "Axes of the bodies, at their poles", false, (on) => stage.showFrames(on)),
      ...(data.elements.length > 0 ? elements : []),
      toggleButton("Follow", "Move along with the chosen body, or with the mass centre of all", false, (on) => stage.follow(on)),
      element("button", { type: "button", title: "Show the whole motion", onclick: () => stage.fit() }, "Fit"),
    ),
  );
}

try {
  start();
} catch (error) {
  document.body.replaceChildren(element("p", { class: "apology" }, `This report cannot be shown: ${String(error)}`));
  throw error;
}
