// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// The one time of the page: everything shown follows it.
export class Clock {
  private listeners: (() => void)[] = [];
  private last = 0;
  private frame = 0;
  private now: number;
  private runs = false;
  speed = 1;
  loops = false;

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.now = start;
  }

  get time(): number {
    return this.now;
  }

  get playing(): boolean {
    return this.runs;
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  seek(time: number): void {
    this.now = Math.min(Math.max(time, this.start), this.end);
    this.tell();
  }

  play(): void {
    if (this.end === this.start) return;
    if (this.now >= this.end) this.now = this.start;
    this.runs = true;
    this.last = performance.now();
    this.frame = requestAnimationFrame(this.tick);
    this.tell();
  }

  pause(): void {
    this.runs = false;
    cancelAnimationFrame(this.frame);
    this.tell();
  }

  // To a moment, and stay there.
  jump(time: number): void {
    this.pause();
    this.seek(time);
  }

  toggle(): void {
    if (this.runs) this.pause();
    else this.play();
  }

  private readonly tick = (moment: number): void => {
    // A page that was hidden goes on where it stood.
    const elapsed = Math.min(Math.max(moment - this.last, 0), 250) / 1000;
    this.last = moment;
    let time = this.now + elapsed * this.speed;
    if (time >= this.end) {
      if (this.loops) time = this.start + ((time - this.start) % (this.end - this.start));
      else {
        time = this.end;
        this.runs = false;
      }
    }
    this.now = time;
    this.tell();
    if (this.runs) this.frame = requestAnimationFrame(this.tick);
  };

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
