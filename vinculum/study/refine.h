// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "vinculum/study/study.h"

namespace vinculum {

// A grid that is refined only where the answer changes.
//
// Cells of the coarse grid are halved along every parameter with a range as long as points on their closed box have different
// answers, down to the resolution asked for. Points on a face that a neighbour asked for count, so that a boundary that enters a
// cell through the middle of a face is followed. The set of points asked in the end does not depend on the order in which answers
// come. What lies inside a coarse cell with equal corners, an island, is not seen: the coarse grid decides what can be missed.
//
// A shard refines only its part of the coarse cells. More results never join a cell that
// fewer have split, so the whole study needs its points, too. Points that neighbouring
// parts require are left to the whole study, which continues with the merged results.
class Refinement {
 public:
  explicit Refinement(const Study& study, StudyShard shard = {});

  // The corners of the coarse cells: without shards all points of the coarse grid.
  std::vector<long> coarse_points() const;

  // The refined value of a result. A failure is a value of its own.
  void learn(const StudyRow& row);

  // Points that have to be known now; empty if the boundary is resolved.
  std::vector<long> next_points();

  // Inferred results of points that were not computed, from the corners of their cells: a word common to all
  // corners, an interpolated number (linear along each parameter), or nothing. In the order of the points.
  std::vector<StudyRow> infer() const;

 private:
  // A box of nodes, from `origin` over `size` steps of the finest grid along the refined parameters.
  struct Cell {
    long origin;  // a point
    long size;
  };
  template <class Visit>
  void visit_box(const Cell& cell, long step, Visit&& visit) const;  // visit(point), until it answers false
  bool is_split(const Cell& cell) const;
  std::vector<long> corners(const Cell& cell) const;
  int class_of(const StudyValue& value);

  bool is_coarse(const std::vector<long>& node) const;

  const Study& study_;
  int column_;
  long finest_;                        // steps of a coarse cell
  std::vector<long> strides_;          // in points, of one step of the finest grid, of each refined parameter
  std::vector<std::int32_t> classes_;  // of each point; kUnknown
  std::unordered_map<std::string, int> words_;
  std::unordered_map<std::uint64_t, int> numbers_;
  std::unordered_map<long, StudyRow> rows_;
  std::vector<Cell> cells_;  // leaves
};

}  // namespace vinculum
