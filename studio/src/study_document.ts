// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// The document that vinculum/study/study_report.cc writes into the page of a study. Numbers in SI; arrays as base64 of their
// little-endian bytes.

export interface StudyParameterDocument {
  name: string;
  unit: string;
  how: string;
  random: boolean;
  levels?: string; // Float64, ascending: of a grid or list ..
  index?: string; // Uint16: .. the level of each point
  values?: string; // Float64: of each point, where it has no levels
}

export interface StudyQuantityDocument {
  name: string;
  path: string;
  unit: string;
  values?: string; // Float64; NaN: none
  short?: string; // Float32 instead
  words?: string[];
  index?: string; // Uint16: 0 none, k the word k - 1
}

export interface EstimateDocument {
  value: number;
  error: number;
}

export interface InfluenceDocument {
  first: EstimateDocument | null;
  total: EstimateDocument | null;
  rank_correlation: EstimateDocument | null;
}

export type SensitivityMethod = "grid" | "saltelli" | "binned" | "ranks" | "none";

export interface StatisticsDocument {
  spread?: {
    count: number;
    mean?: number;
    deviation?: number;
    least?: number;
    largest?: number;
    quantiles?: { p: number; value: number; interval?: [number, number] }[]; // intervals where the points are a sample
  };
  fractions?: Record<string, { count: number; of: number; value: number; interval?: [number, number] }>;
  sensitivity: {
    method: SensitivityMethod;
    why?: string;
    of?: string;
    points?: number;
    parameters?: Record<string, InfluenceDocument>;
  };
}

export interface StudyDocument {
  format: 1;
  kind: "study";
  title: string;
  run: { command: string; model: string; options: string };
  points: { shown: number; total: number; planned: number; numbers?: string }; // Uint32
  facts: { name: string; value: string }[];
  warnings: string[];
  parameters: StudyParameterDocument[];
  quantities: StudyQuantityDocument[];
  status?: string; // Uint8: 0 done, 1 failed, 2 inferred; all done if it is missing
  failures: { texts: { code: string; message: string }[]; points: string; text: string }; // Uint32, Uint32
  statistics: Record<string, StatisticsDocument>;
}

export const isStudyDocument = (data: object): data is StudyDocument => "kind" in data && data.kind === "study";
