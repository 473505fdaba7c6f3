// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { endBanner, factList, verdictCards, warningList } from "./cards";
import { Clock } from "./clock";
import { type KinematicsDocument, readDocument, type ReportDocument } from "./document";
import { byId, element } from "./dom";
import { EventList } from "./events";
import { faceBands } from "./faces";
import { gripCards } from "./grips";
import { followLink } from "./link";
import { Plots } from "./plots";
import { Recording } from "./recording";
import { Sliders } from "./sliders";
import { findSubject } from "./spotlight";
import { Stage } from "./stage";
import { isStudyDocument } from "./study_document";
import { showStudy } from "./study_page";
import { Theme } from "./theme";
import { Timeline } from "./timeline";
import { addTools } from "./tools";

function start(): void {
  const data = readDocument();
  const theme = new Theme();
  document.title = `${data.title} · Vinculum`;
  byId("title").textContent = data.title;
  byId("scheme").addEventListener("click", () => theme.toggle());
  if (isStudyDocument(data)) showStudy(data, theme);
  else if (data.kinematics) showPose(data, data.kinematics, theme);
  else showRun(data, theme);
  document.documentElement.dataset.ready = "true";
}

// A mechanism whose joints the reader moves.
function showPose(data: ReportDocument, kinematics: KinematicsDocument, theme: Theme): void {
  const recording = new Recording(data);
  const clock = new Clock(recording.start, recording.end);
  const stage = tryStage(recording, clock);
  const sliders = new Sliders(kinematics, recording, stage?.reach ?? 1, () => {
    stage?.showElements(false); // they stand where the start has them
    stage?.refresh();
  });
  byId("timeline").remove();
  byId("panel").append(...(data.warnings.length > 0 ? [warningList(data)] : []), sliders.node, factList(data));
  if (!stage) return;
  addTools(stage, undefined, clock, data);
  theme.subscribe(() => stage.paint());
}

function showRun(data: ReportDocument, theme: Theme): void {
  const recording = new Recording(data);
  const beside = data.beside && new Recording(data.beside);
  const clock = new Clock(Math.min(recording.start, beside?.start ?? Infinity), Math.max(recording.end, beside?.end ?? -Infinity));
  const plots = new Plots(recording, clock, beside);
  const stage = tryStage(recording, clock, beside);
  const point = (subject: string): void => {
    const found = findSubject(data, subject);
    stage?.point(found);
    plots.showNamed(found?.name ?? subject);
  };
  const banners = [data, ...(data.beside ? [data.beside] : [])].flatMap((one) => endBanner(one) ?? []);
  byId("notices").append(...banners);
  byId("panel").append(
    ...(data.warnings.length > 0 ? [warningList(data)] : []),
    verdictCards(data, clock, point),
    ...(data.beside ? [verdictCards(data.beside, clock, point, `Verdicts of ${data.beside.title}`)] : []),
    ...(data.guides.length > 0 ? [faceBands(recording, clock)] : []),
    ...(data.grips.length > 0 ? [gripCards(recording, clock)] : []),
    plots.node,
    ...(recording.events.count > 0 ? [new EventList(recording.events, clock).node] : []),
    factList(data),
    ...(data.beside ? [factList(data.beside)] : []),
  );
  new Timeline(byId("timeline"), recording, clock);
  theme.subscribe(() => plots.paint());
  if (stage) {
    addTools(stage, plots, clock, data);
    theme.subscribe(() => stage.paint());
  }
  followLink(clock, plots.own);
}

// Without WebGL there are still the verdicts and the curves.
function tryStage(recording: Recording, clock: Clock, beside?: Recording): Stage | undefined {
  const container = byId("stage");
  try {
    return new Stage(container, recording, clock, beside);
  } catch (error) {
    container.replaceChildren(
      element("p", { class: "apology" }, `The animation needs WebGL, which this browser does not give: ${String(error)}`),
    );
    return undefined;
  }
}

try {
  start();
} catch (error) {
  document.body.replaceChildren(element("p", { class: "apology" }, `This report cannot be shown: ${String(error)}`));
  throw error;
}
