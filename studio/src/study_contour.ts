// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// A grid of values: columns times rows, row by row; NaN where there is none. Places of columns and rows on the paper.
export interface Field {
  values: Float64Array;
  columns: number;
  rows: number;
}

// Where a field passes a level, by marching squares: within each cell of four neighbours the line joins the edges on which the
// level is passed, at the place that linear interpolation tells. Where it is passed on all four edges (a saddle) the mean of the
// corners decides which pairs belong together. As the path of an SVG; `placeX` and `placeY` tell where columns and rows are.
export function contour({ values, columns, rows }: Field, level: number, placeX: Float64Array, placeY: Float64Array): string {
  const path: string[] = [];
  const point = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  for (let j = 0; j + 1 < rows; j++) {
    for (let i = 0; i + 1 < columns; i++) {
      const a = values[j * columns + i]! - level; // a b
      const b = values[j * columns + i + 1]! - level; // c d
      const c = values[(j + 1) * columns + i]! - level;
      const d = values[(j + 1) * columns + i + 1]! - level;
      const kind = (a >= 0 ? 1 : 0) | (b >= 0 ? 2 : 0) | (c >= 0 ? 4 : 0) | (d >= 0 ? 8 : 0);
      if (kind === 0 || kind === 15 || Number.isNaN(a + b + c + d)) continue;
      const x0 = placeX[i]!;
      const x1 = placeX[i + 1]!;
      const y0 = placeY[j]!;
      const y1 = placeY[j + 1]!;
      const ab = (): string => point(x0 + (a / (a - b)) * (x1 - x0), y0);
      const cd = (): string => point(x0 + (c / (c - d)) * (x1 - x0), y1);
      const ac = (): string => point(x0, y0 + (a / (a - c)) * (y1 - y0));
      const bd = (): string => point(x1, y0 + (b / (b - d)) * (y1 - y0));
      const join = (p: string, q: string): number => path.push(`M${p}L${q}`);
      const one = kind > 7 ? 15 - kind : kind; // a line does not tell its sides apart
      if (one === 1) join(ab(), ac());
      else if (one === 2) join(ab(), bd());
      else if (one === 3) join(ac(), bd());
      else if (one === 4) join(ac(), cd());
      else if (one === 5) join(ab(), cd());
      else if (one === 7) join(bd(), cd());
      else {
        // a and d on one side, b and c on the other: the middle belongs to one of the pairs.
        const middleWithA = a + b + c + d >= 0 === a >= 0;
        if (middleWithA) {
          join(ab(), bd());
          join(ac(), cd());
        } else {
          join(ab(), ac());
          join(bd(), cd());
        }
      }
    }
  }
  return path.join("");
}

// The borders between cells with different words, along the edges of the cells (`borderX`: one more than columns).
export function boundary({ values, columns, rows }: Field, borderX: Float64Array, borderY: Float64Array): string {
  const path: string[] = [];
  const differ = (p: number, q: number): boolean => !Number.isNaN(p) && !Number.isNaN(q) && p !== q;
  // Runs of edges in a row are one line.
  for (let j = 0; j + 1 < rows; j++) {
    let start = -1;
    for (let i = 0; i <= columns; i++) {
      const edge = i < columns && differ(values[j * columns + i]!, values[(j + 1) * columns + i]!);
      if (edge && start < 0) start = i;
      if (!edge && start >= 0) {
        path.push(`M${borderX[start]!.toFixed(1)} ${borderY[j + 1]!.toFixed(1)}H${borderX[i]!.toFixed(1)}`);
        start = -1;
      }
    }
  }
  for (let i = 0; i + 1 < columns; i++) {
    let start = -1;
    for (let j = 0; j <= rows; j++) {
      const edge = j < rows && differ(values[j * columns + i]!, values[j * columns + i + 1]!);
      if (edge && start < 0) start = j;
      if (!edge && start >= 0) {
        path.push(`M${borderX[i + 1]!.toFixed(1)} ${borderY[start]!.toFixed(1)}V${borderY[j]!.toFixed(1)}`);
        start = -1;
      }
    }
  }
  return path.join("");
}
