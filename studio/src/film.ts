// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import type { Clock } from "./clock";
import { fileName, save } from "./download";
import { formatTime, timeDecimals } from "./format";
import type { Stage } from "./stage";
import { cssColor } from "./theme";

const kRate = 30; // pictures a second
const kBits = 8_000_000; // a second
const kTypes = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

// The scene as a picture, with its background and the time.
class Picture {
  readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d")!;
  private readonly decimals: number;

  constructor(
    private readonly stage: Stage,
    private readonly clock: Clock,
    private readonly title: string,
  ) {
    this.decimals = Math.min(timeDecimals(clock.end - clock.start), 3);
    // Codecs want even sides.
    this.canvas.width = stage.canvas.width & ~1;
    this.canvas.height = stage.canvas.height & ~1;
  }

  take(): void {
    const { width, height } = this.canvas;
    this.context.fillStyle = cssColor("stage");
    this.context.fillRect(0, 0, width, height);
    this.context.drawImage(this.stage.canvas, 0, 0);
    const size = Math.max(Math.round(height / 34), 12);
    this.context.font = `${size}px system-ui, sans-serif`;
    this.context.fillStyle = cssColor("muted");
    this.context.fillText(`${this.title}   t = ${formatTime(this.clock.time, this.decimals)} s`, size, height - size);
  }
}

export function savePicture(stage: Stage, clock: Clock, title: string): void {
  const picture = new Picture(stage, clock, title);
  const stop = stage.watch(() => picture.take());
  stage.drawNow();
  stop();
  picture.canvas.toBlob((blob) => blob && save(fileName(title, "png"), blob), "image/png");
}

export const canFilm = (): boolean => typeof MediaRecorder !== "undefined" && kTypes.some((type) => MediaRecorder.isTypeSupported(type));

// Plays the run from its start to its end, at the chosen speed, and saves what is seen as a video. Called again, it stops there.
export class Film {
  private recorder: MediaRecorder | undefined;
  private leave: (() => void) | undefined;
  onChange: (films: boolean) => void = () => {};

  constructor(
    private readonly stage: Stage,
    private readonly clock: Clock,
    private readonly title: string,
  ) {
    clock.subscribe(() => {
      if (this.recorder?.state === "recording" && !clock.playing) this.stop();
    });
  }

  toggle(): void {
    if (this.recorder) this.stop();
    else this.start();
  }

  private start(): void {
    const type = kTypes.find((one) => MediaRecorder.isTypeSupported(one))!;
    const picture = new Picture(this.stage, this.clock, this.title);
    const parts: Blob[] = [];
    picture.take();
    const recorder = new MediaRecorder(picture.canvas.captureStream(kRate), { mimeType: type, videoBitsPerSecond: kBits });
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    recorder.addEventListener("stop", () => save(fileName(this.title, type.includes("mp4") ? "mp4" : "webm"), new Blob(parts, { type })));
    this.recorder = recorder;
    this.leave = this.stage.watch(() => picture.take());
    this.clock.pause();
    this.clock.seek(this.clock.start);
    this.clock.play();
    recorder.start();
    this.onChange(true);
  }

  private stop(): void {
    const { recorder } = this;
    this.recorder = undefined;
    this.leave?.();
    this.clock.pause();
    // The last picture still has to reach the film.
    setTimeout(() => recorder?.stop(), 2000 / kRate);
    this.onChange(false);
  }
}
