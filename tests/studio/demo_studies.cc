// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// study_demo DIR: writes pages of studies whose answers are formulas into DIR, for the browser test and for eyes.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <numbers>
#include <random>

#include <fmt/core.h>

#include "vinculum/page/report_page.h"
#include "vinculum/page/study_report.h"

namespace {

using namespace vinculum;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kGravity = 9.81;

void write(const std::filesystem::path& path, StudyResults& table) {
  table.status.resize(table.parameters[0].values.size(), PointStatus::done);
  if (table.planned == 0) table.planned = table.size();
  const auto written = write_study_page(path.string(), table, compute_study_statistics(table));
  if (written) return;
  std::fprintf(stderr, "%s\n", written.failure().message.c_str());
  std::exit(1);
}

double level(double from, double to, int count, int k) { return from + (to - from) * k / (count - 1); }

// A car in a bend of radius R on a slope: grip needs v² / (R g), there is mu. The margin is mu R g / v².
StudyResults bend(const std::string& title) {
  StudyResults table;
  table.title = title;
  table.command = "simulate";
  table.model = "car.yaml";
  table.options = "--until 5 --contacts frictional";
  table.quantities = {{"slips", "verdicts.front.friction.verdict", "", {}, {"holds", "violated"}},
                      {"margin", "verdicts.front.friction.margin", "", {}},
                      {"drift", "final.q.car.ty", "m", {}}};
  table.facts = {{"threads", "2"}, {"time", "12.4 s"}};
  return table;
}

void add_answer(StudyResults& table, double margin) {
  table.quantities[0].word.push_back(std::isnan(margin) ? 0 : margin > 1 ? 1 : 2);
  table.quantities[1].numbers.push_back(margin);
  table.quantities[2].numbers.push_back(margin > 1 ? 0 : 3 * (1 - margin));
}

// mu × speed × radius; where the car is too fast the runs fail.
void slip_map(const std::filesystem::path& directory) {
  StudyResults table = bend("Slip map of a car");
  constexpr int kMu = 60, kSpeed = 50;
  table.parameters = {{"mu", "1", "60 values from 0.2 to 0.9", false, {}},
                      {"speed", "m/s", "50 values from 2 to 20", false, {}},
                      {"radius", "m", "20, 40, 80", false, {}}};
  for (int i = 0; i < kMu; ++i) {
    for (int j = 0; j < kSpeed; ++j) {
      for (const double radius : {20.0, 40.0, 80.0}) {
        const double mu = level(0.2, 0.9, kMu, i), speed = level(2, 20, kSpeed, j);
        const bool fails = mu < 0.25 && speed > 17;
        for (const auto& [parameter, value] : {std::pair{0, mu}, {1, speed}, {2, radius}})
          table.parameters[parameter].values.push_back(value);
        add_answer(table, fails ? kNone : mu * radius * kGravity / (speed * speed));
        if (fails) table.quantities[2].numbers.back() = kNone;
        table.status.push_back(fails ? PointStatus::failed : PointStatus::done);
        if (fails) {
          table.failures.push_back({static_cast<std::uint32_t>(table.status.size() - 1), "VN-RUN-007",
                                    fmt::format("after t = {:.2f} s: the steps have fallen to 1e-12 s", 1 / mu)});
        }
      }
    }
  }
  write(directory / "slip_map.html", table);
}

// 257 × 257, of which only the cells at the boundary were run.
void refined(const std::filesystem::path& directory) {
  StudyResults table = bend("Refined slip map");
  constexpr int kCount = 257;
  table.parameters = {{"mu", "1", "5 values from 0.2 to 0.9, refined 6 times", false, {}},
                      {"speed", "m/s", "5 values from 2 to 20, refined 6 times", false, {}}};
  for (int i = 0; i < kCount; ++i) {
    for (int j = 0; j < kCount; ++j) {
      const double mu = level(0.2, 0.9, kCount, i), speed = level(2, 20, kCount, j);
      const double margin = mu * 20 * kGravity / (speed * speed) * (1 + 0.15 * std::sin(9 * mu));
      const bool run = std::abs(std::log(margin)) < 0.03 || (i % 32 == 0 && j % 32 == 0);
      table.parameters[0].values.push_back(mu);
      table.parameters[1].values.push_back(speed);
      add_answer(table, margin);
      if (!run) table.quantities[1].numbers.back() = table.quantities[2].numbers.back() = kNone;
      table.status.push_back(run ? PointStatus::done : PointStatus::inferred);
    }
  }
  write(directory / "refined.html", table);
}

// One parameter: a curve, with a failed point in the middle.
void line(const std::filesystem::path& directory) {
  StudyResults table = bend("How fast through the bend");
  table.parameters = {{"speed", "m/s", "41 values from 2 to 20", false, {}}};
  for (int k = 0; k < 41; ++k) {
    const double speed = level(2, 20, 41, k);
    table.parameters[0].values.push_back(speed);
    add_answer(table, k == 25 ? kNone : 0.6 * 20 * kGravity / (speed * speed));
    if (k == 25) table.quantities[2].numbers.back() = kNone;
    table.status.push_back(k == 25 ? PointStatus::failed : PointStatus::done);
  }
  table.failures = {{25, "VN-STUDY-010", "the point took longer than 2 s"}};
  write(directory / "line.html", table);
}

// Tolerances: mu, speed and radius drawn at random; a fourth parameter does nothing.
void tolerances(const std::filesystem::path& directory, bool on_grid) {
  StudyResults table = bend(on_grid ? "Tolerances at every speed" : "Tolerances of a bend");
  table.parameters = {{"mu", "1", "normal, mean 0.5, deviation 0.05", true, {}},
                      {"radius", "m", "uniform from 35 to 45", true, {}},
                      {"mass of the car with a rather long name", "kg", "uniform from 900 to 1300", true, {}},
                      {"speed", "m/s", on_grid ? "13 values from 8 to 20" : "normal, mean 12.5, deviation 0.6", !on_grid, {}}};
  std::mt19937_64 generator;
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const int nodes = on_grid ? 13 : 1, samples = on_grid ? 150 : 3000;
  for (int node = 0; node < nodes; ++node) {
    generator.seed(5);  // the same samples everywhere
    normal.reset();
    for (int k = 0; k < samples; ++k) {
      const double mu = 0.5 + 0.05 * normal(generator), radius = 35 + 10 * uniform(generator),
                   mass = 900 + 400 * uniform(generator);
      const double speed = on_grid ? level(8, 20, 13, node) : 12.5 + 0.6 * normal(generator);
      for (const auto& [parameter, value] : {std::pair{0, mu}, {1, radius}, {2, mass}, {3, speed}})
        table.parameters[parameter].values.push_back(value);
      add_answer(table, mu * radius * kGravity / (speed * speed));
    }
  }
  table.points_of_node = on_grid ? samples : 4000;
  if (!on_grid) table.planned = 4000;
  write(directory / (on_grid ? "mixed.html" : "tolerances.html"), table);
}

// Ishigami and Homma's function on Saltelli's blocks:  S = 0.314, 0.442, 0;  ST = 0.558, 0.442, 0.244.
void ishigami(const std::filesystem::path& directory) {
  StudyResults table;
  table.title = "</script><b>Ishigami & Homma";
  table.command = "evaluate";
  table.model = "models/it's here.yaml";
  table.options = "--rate {x3}";
  const std::string how = "uniform from -3.142 to 3.142, blocks of Saltelli";
  table.parameters = {{"x1", "", how, true, {}}, {"x2", "", how, true, {}}, {"x3", "", how, true, {}}};
  table.quantities = {{"y", "energy.total", "J", {}}};
  table.points_of_node = 10'000;
  table.block = 5;
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> uniform(-std::numbers::pi, std::numbers::pi);
  for (int block = 0; block < 2000; ++block) {
    double a[3], b[3];
    for (double& x : a) x = uniform(generator);
    for (double& x : b) x = uniform(generator);
    for (int point = 0; point < 5; ++point) {
      double x[3];
      for (int i = 0; i < 3; ++i) {
        x[i] = point == 1 || point == i + 2 ? b[i] : a[i];
        table.parameters[i].values.push_back(x[i]);
      }
      table.quantities[0].numbers.push_back(std::sin(x[0]) + 7 * std::sin(x[1]) * std::sin(x[1]) +
                                            0.1 * std::pow(x[2], 4) * std::sin(x[0]));
    }
  }
  write(directory / "ishigami.html", table);
}

// A million points.
void million(const std::filesystem::path& directory) {
  StudyResults table = bend("A million points");
  constexpr int kCount = 1000;
  table.parameters = {{"mu", "1", "1000 values from 0.2 to 0.9", false, {}},
                      {"speed", "m/s", "1000 values from 2 to 20", false, {}}};
  for (int i = 0; i < kCount; ++i) {
    for (int j = 0; j < kCount; ++j) {
      const double mu = level(0.2, 0.9, kCount, i), speed = level(2, 20, kCount, j);
      table.parameters[0].values.push_back(mu);
      table.parameters[1].values.push_back(speed);
      add_answer(table, mu * 20 * kGravity / (speed * speed) * (1 + 0.15 * std::sin(30 * mu) * std::sin(speed)));
    }
  }
  write(directory / "million.html", table);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (!report_page_available()) {
    std::puts("skipped: this build has no report page");
    return 0;
  }
  const std::filesystem::path directory = argv[1];
  std::filesystem::create_directories(directory);
  slip_map(directory);
  refined(directory);
  line(directory);
  tolerances(directory, false);
  tolerances(directory, true);
  ishigami(directory);
  million(directory);
  return 0;
}
