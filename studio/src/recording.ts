// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { Matrix4, Quaternion, Vector3 } from "three";
import { decodeFloat32, decodeFloat64, type ReportDocument } from "./document";

// Where a time lies among the samples: between `index` and the next, at `fraction` of the way.
export interface Instant {
  index: number;
  fraction: number;
}

// The motion of one frame. Positions are interpolated linearly, orientations along the shorter arc.
export class Track {
  private readonly values: Float32Array;
  private readonly position = new Vector3();
  private readonly orientation = new Quaternion();
  private readonly next = new Quaternion();
  private readonly one = new Vector3(1, 1, 1);

  constructor(poses: string) {
    this.values = decodeFloat32(poses);
  }

  get rests(): boolean {
    return this.values.length === 7;
  }

  // Where it stands from now on: of a frame that rests.
  stand(position: Vector3, orientation: Quaternion): void {
    const { x, y, z, w } = orientation;
    this.values.set([...position.toArray(), w, x, y, z]);
  }

  matrixAt(instant: Instant, result: Matrix4): Matrix4 {
    const v = this.values;
    const i = this.rests ? 0 : 7 * instant.index;
    this.position.set(v[i]!, v[i + 1]!, v[i + 2]!);
    this.orientation.set(v[i + 4]!, v[i + 5]!, v[i + 6]!, v[i + 3]!);
    if (!this.rests && instant.fraction > 0) {
      const j = i + 7;
      const f = instant.fraction;
      this.position.set(
        this.position.x + f * (v[j]! - this.position.x),
        this.position.y + f * (v[j + 1]! - this.position.y),
        this.position.z + f * (v[j + 2]! - this.position.z),
      );
      this.orientation.slerp(this.next.set(v[j + 4]!, v[j + 5]!, v[j + 6]!, v[j + 3]!), f);
    }
    return result.compose(this.position, this.orientation, this.one);
  }
}

// One vector; interpolated linearly.
export class VectorTrack {
  private readonly values: Float32Array;
  private readonly next = new Vector3();

  constructor(text: string) {
    this.values = decodeFloat32(text);
  }

  vectorAt({ index, fraction }: Instant, result: Vector3): Vector3 {
    result.fromArray(this.values, 3 * index);
    return fraction > 0 ? result.lerp(this.next.fromArray(this.values, 3 * index + 3), fraction) : result;
  }

  magnitudes(): number[] {
    return Array.from({ length: this.values.length / 3 }, (_, i) => this.next.fromArray(this.values, 3 * i).length());
  }
}

// One curve; decoded when it is first looked at.
export class Series {
  private decoded: Float64Array | undefined;

  constructor(
    readonly group: string,
    readonly name: string,
    readonly unit: string,
    readonly body: number, // -1: of the whole
    readonly largest: number,
    private readonly text: string,
  ) {}

  get values(): Float64Array {
    return (this.decoded ??= decodeFloat64(this.text));
  }

  at({ index, fraction }: Instant): number {
    const here = this.values[index]!;
    return fraction > 0 ? here + fraction * (this.values[index + 1]! - here) : here;
  }
}

// The events of a run, in the order of time.
export class Events {
  readonly times: Float64Array;
  readonly names: readonly string[];
  readonly total: number;
  private readonly which: Float32Array;

  constructor({ events }: ReportDocument) {
    this.times = decodeFloat64(events.times);
    this.which = decodeFloat32(events.which);
    this.names = events.names;
    this.total = events.total;
  }

  get count(): number {
    return this.times.length;
  }

  nameOf(index: number): string {
    return this.names[this.which[index]!]!;
  }

  // Numbers of the events with this name, of all without one.
  list(name = ""): Uint32Array {
    const wanted = this.names.indexOf(name);
    const all = Uint32Array.from({ length: this.count }, (_, i) => i);
    return wanted < 0 ? all : all.filter((i) => this.which[i] === wanted);
  }
}

// What the page knows of a run: times, motions, curves.
export class Recording {
  readonly times: Float64Array;
  readonly bodies: Track[];
  readonly environment: Track[];
  readonly elements: { frame: Track; force: VectorTrack }[];
  readonly series: Series[];
  readonly events: Events;

  constructor(readonly data: ReportDocument) {
    this.times = decodeFloat64(data.times);
    this.bodies = data.bodies.map((body) => new Track(body.poses));
    this.environment = data.environment.map((body) => new Track(body.poses));
    this.elements = data.elements.map(({ frames, forces }) => ({ frame: new Track(frames), force: new VectorTrack(forces) }));
    this.events = new Events(data);
    const owner = new Map(data.bodies.map((body, index) => [body.name, index]));
    this.series = data.series.map((s) => new Series(s.group, s.name, s.unit, ownerOf(s.name, owner), s.largest, s.values));
  }

  get start(): number {
    return this.times[0]!;
  }

  get end(): number {
    return this.times[this.times.length - 1]!;
  }

  locate(time: number): Instant {
    const last = this.times.length - 1;
    if (time >= this.end) return { index: last, fraction: 0 };
    if (time <= this.start) return { index: 0, fraction: 0 };
    // The last sample not after the time.
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! <= time) low = middle;
      else high = middle;
    }
    const span = this.times[high]! - this.times[low]!;
    return { index: low, fraction: span > 0 ? (time - this.times[low]!) / span : 0 };
  }

  // A sample's time, `count` samples away; standing between two, the nearer one counts as the first.
  neighbour(time: number, count: number): number {
    const { index, fraction } = this.locate(time);
    const from = count < 0 && fraction > 1e-9 ? index + 1 : index;
    return this.times[Math.min(Math.max(from + count, 0), this.times.length - 1)]!;
  }

  // At most `count` instants spread evenly over the run, both ends included.
  spread(count: number): Instant[] {
    const n = Math.min(count, this.times.length);
    return Array.from({ length: n }, (_, k) => ({
      index: n > 1 ? Math.round((k * (this.times.length - 1)) / (n - 1)) : 0,
      fraction: 0,
    }));
  }
}

// Curves are named after the body they belong to: "upper", "upper'", "upper.force.x".
function ownerOf(name: string, owner: Map<string, number>): number {
  for (let end = name.length; end > 0; end--) {
    if (end < name.length && name[end] !== "." && name[end] !== "'") continue;
    const body = owner.get(name.slice(0, end));
    if (body !== undefined) return body;
  }
  return -1;
}
