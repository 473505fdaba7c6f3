// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import {
  type BufferGeometry,
  Color,
  Curve,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  TubeGeometry,
  Vector3,
} from "three";
import { decodeFloat64, type EndDocument, type LineDocument } from "./document";
import type { ArrowSource, Scenery } from "./arrows";
import type { Instant } from "./recording";
import { hang } from "./slack";
import { cssColor } from "./theme";

const kTurns = 9;

class Coil extends Curve<Vector3> {
  constructor(
    private readonly size: number,
    private readonly length: number,
  ) {
    super();
  }

  // Straight for a tenth of the length at both ends.
  override getPoint(s: number, result = new Vector3()): Vector3 {
    const inside = Math.min(Math.max((s - 0.1) / 0.8, 0), 1);
    const reach = this.size * Math.min(1, 12 * Math.min(inside, 1 - inside));
    const angle = 2 * Math.PI * kTurns * inside;
    return result.set(reach * Math.cos(angle), reach * Math.sin(angle), s * this.length);
  }
}

const kLoose = 1e-6; // of its length: a string with less to spare is straight
const kPieces = 40; // of a string that hangs

interface Drawn {
  mesh: Mesh;
  material: MeshStandardMaterial;
  length: number;
  loose?: InstancedMesh; // a string's pieces where it is slack
}

export function placeEnd(end: EndDocument, { bodies, environment }: Scenery, result: Vector3): Vector3 {
  result.set(...end.point);
  const pose = end.on === "body" ? bodies[end.index] : end.on === "environment" ? environment[end.index] : undefined;
  return pose ? result.applyMatrix4(pose) : result;
}

// What springs do to the bodies at their ends.
export const springForces = (lines: readonly LineDocument[]): ArrowSource[] =>
  lines.flatMap(({ kind, ends, tension }) => {
    if (kind !== "spring" || tension === undefined) return [];
    const values = decodeFloat64(tension);
    const other = new Vector3();
    return [ends, [ends[1], ends[0]] as const].flatMap(([here, there]) =>
      here.on !== "body"
        ? []
        : {
            body: here.index,
            place: (scenery: Scenery, result: Vector3) => placeEnd(here, scenery, result),
            vector: ({ index, fraction }: Instant, result: Vector3, scenery: Scenery) => {
              const next = values[Math.min(index + 1, values.length - 1)]!;
              placeEnd(there, scenery, result).sub(placeEnd(here, scenery, other));
              result.normalize().multiplyScalar(values[index]! + fraction * (next - values[index]!));
            },
            magnitudes: () => Array.from(values, Math.abs),
          },
    );
  });

// Strings and springs between points of bodies, coloured by what they pull with, from the colour of lines to that of forces, a
// spring that is pressed to that of errors. A slack string hangs.
export class Lines {
  readonly group = new Group();
  private readonly drawn: Drawn[] = [];
  private readonly tensions: (Float64Array | undefined)[];
  private readonly largest: number; // [N], of any of them
  private readonly from = new Vector3();
  private readonly to = new Vector3();
  private readonly points = Array.from({ length: kPieces + 1 }, () => new Vector3());
  private readonly slackColor = new Color();
  private readonly tightColor = new Color();
  private readonly pressedColor = new Color();

  constructor(
    private readonly lines: readonly LineDocument[],
    private readonly size: number,
    private readonly down: Vector3,
  ) {
    this.tensions = lines.map((line) => (line.tension === undefined ? undefined : decodeFloat64(line.tension)));
    this.largest = this.tensions.reduce((most, values) => values?.reduce((a, b) => Math.max(a, Math.abs(b)), most) ?? most, 0);
    this.paint();
  }

  update(scenery: Scenery, instant: Instant): void {
    const z = new Vector3(0, 0, 1);
    this.lines.forEach((line, index) => {
      placeEnd(line.ends[0], scenery, this.from);
      placeEnd(line.ends[1], scenery, this.to);
      const length = this.from.distanceTo(this.to);
      // Made at the length it has when it is first seen, then stretched.
      const { mesh, material, length: natural, loose } = (this.drawn[index] ??= this.make(
        line,
        Math.max(length, 1e-3 * this.size),
      ));
      material.color.copy(this.slackColor);
      const values = this.tensions[index];
      if (values && this.largest > 0) {
        const before = values[instant.index]!;
        const after = values[Math.min(instant.index + 1, values.length - 1)]!;
        const pull = (before + instant.fraction * (after - before)) / this.largest;
        material.color.lerp(pull > 0 ? this.tightColor : this.pressedColor, Math.abs(pull));
      }
      const hangs = loose !== undefined && length < (1 - kLoose) * line.length!;
      mesh.visible = !hangs;
      if (loose) loose.visible = hangs;
      if (hangs) {
        hang(this.from, this.to, line.length!, this.down, this.points);
        this.placePieces(loose);
        return;
      }
      mesh.position.copy(this.from);
      mesh.quaternion.setFromUnitVectors(z, length > 0 ? this.to.sub(this.from).divideScalar(length) : z);
      mesh.scale.z = Math.max(length, 1e-9) / natural;
    });
  }

  paint(): void {
    this.slackColor.set(cssColor("line"));
    this.tightColor.set(cssColor("tight"));
    this.pressedColor.set(cssColor("bad"));
  }

  private placePieces(loose: InstancedMesh): void {
    const z = new Vector3(0, 0, 1);
    const [along, turn, scale, matrix] = [new Vector3(), new Quaternion(), new Vector3(), new Matrix4()];
    for (let i = 0; i < kPieces; i++) {
      const length = along.subVectors(this.points[i + 1]!, this.points[i]!).length();
      turn.setFromUnitVectors(z, length > 0 ? along.divideScalar(length) : z);
      loose.setMatrixAt(i, matrix.compose(this.points[i]!, turn, scale.set(1, 1, length)));
    }
    loose.instanceMatrix.needsUpdate = true;
  }

  private make(line: LineDocument, length: number): Drawn {
    const thread = 0.0035 * this.size;
    const rod = (height: number): BufferGeometry =>
      new CylinderGeometry(thread, thread, height, 8).rotateX(Math.PI / 2).translate(0, 0, height / 2);
    const material = new MeshStandardMaterial({ roughness: 0.5, metalness: 0.2 });
    const add = <T extends Mesh>(mesh: T): T => {
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      this.group.add(mesh);
      return mesh;
    };
    const coil = (): BufferGeometry => new TubeGeometry(new Coil(0.022 * this.size, length), 24 * kTurns, thread, 6);
    const mesh = add(new Mesh(line.kind === "spring" ? coil() : rod(length), material));
    const loose = line.length === undefined ? undefined : add(new InstancedMesh(rod(1), material, kPieces));
    return { mesh, material, length, ...(loose && { loose }) };
  }
}
