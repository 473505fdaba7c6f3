// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { element } from "./dom";
import type { StudyData } from "./study_data";
import type { Picture } from "./study_picture";

const kStatus = ["done", "failed", "inferred"];

function save(name: string, blob: Blob): void {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const svgText = (picture: Picture): string => new XMLSerializer().serializeToString(picture.node);

export function saveSvg(name: string, picture: Picture): void {
  save(`${name}.svg`, new Blob([svgText(picture)], { type: "image/svg+xml" }));
}

// Twice as fine as the screen, for print.
export async function savePng(name: string, picture: Picture): Promise<void> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture))}`;
  await image.decode();
  const canvas = element("canvas", {});
  canvas.width = 2 * picture.width;
  canvas.height = 2 * picture.height;
  const context = canvas.getContext("2d")!;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) save(`${name}.png`, blob);
}

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// All points, with the digits they have.
export function csvOf(data: StudyData): Blob {
  const head = [
    "point",
    ...[...data.parameters, ...data.quantities].map(({ name, unit }) => (unit && unit !== "1" ? `${name} [${unit}]` : name)),
    "status",
    "code",
    "message",
  ];
  const parts: string[] = [`${head.map(quoted).join(",")}\n`];
  let chunk = "";
  for (let point = 0; point < data.size; point++) {
    const failure = data.failure(point);
    const cells = [
      String(data.numberOf(point)),
      ...data.parameters.map((parameter) => String(parameter.at(point))),
      ...data.quantities.map((q) => (q.has(point) ? (q.inWords ? quoted(q.wordAt(point)!) : String(q.at(point))) : "")),
      kStatus[data.status[point]!]!,
      quoted(failure?.code ?? ""),
      quoted(failure?.message ?? ""),
    ];
    chunk += `${cells.join(",")}\n`;
    if (chunk.length > 1e6) {
      parts.push(chunk);
      chunk = "";
    }
  }
  return new Blob([...parts, chunk], { type: "text/csv" });
}

export const saveCsv = (name: string, data: StudyData): void => save(`${name}.csv`, csvOf(data));
