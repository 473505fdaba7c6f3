// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/execution.h"
#include "tests/fuzz/judgement.h"
#include "tests/fuzz/mutations.h"

namespace vinculum::fuzz {

// A model with what the program makes of it.
struct Seed {
  std::string model;
  std::string state;  // {"t", "q", "v", ..}
  std::string state_with_accelerations;
  std::string motion;  // states.csv
};

struct Seeds {
  std::vector<Seed> seeds;
  std::vector<std::string> models, states, motions, robots;  // the texts alone, to be spliced
};

struct Case {
  std::vector<std::vector<std::string>> commands;  // one after the other, in one folder
  std::string given;                               // all text in them and in the files
  bool odd = false;                                // a word was put where none belongs
};

inline constexpr const char* kCommands[] = {"check",     "evaluate",    "inverse", "simulate", "simulate",  "series", "balance",
                                            "linearise", "equilibrium", "steady",  "derive",   "integrals", "new",    "convert",
                                            "explain",   "sweep",       "realize", "variants", "limit",     "pad"};

// Bare problems, and tilts that were measured: what commands read beside models, states and motions.
inline constexpr const char* kGuideProblems[] = {
    R"({"B1": [[-1, -1], [0.225, 0.025]], "B2": [[1, 1], [0.025, 0.225]], "F1": [[0, 0], [0.125, 0.125]],
 "F2": [[0, 0], [0.125, 0.125]], "d": [1, 1]})",
    R"({"B1": [[1]], "B2": [[1]], "F1": [[0]], "F2": [[0.5]], "d": [1]})"};
inline constexpr const char* kSlipProblems[] = {
    R"({"A": 0.7, "B": 0.4, "eta": 1.3, "rho2": 0.9, "s0": 0.6, "delta": 0.05, "k": 3.0, "t": 1.2})",
    R"({"W": [[2, 0.3, -0.5], [0.3, 1.5, 0.2], [-0.5, 0.2, 1]], "b": [4, -1, 0.5], "bounds": [1, 1.2, 0.6]})"};
inline constexpr const char* kTilts =
    "rate [rad/s],vertical_x [1],vertical_y [1]\n12,0.016439,-0.028259\n18,0.011062,-0.020621\n25,0.007180,-0.014198\n"
    "35,0.004234,-0.008784\n";

// Draws a case: a command, its files, changed, and its options.
class CaseMaker {
 public:
  CaseMaker(const Seeds& seeds, std::uint64_t seed, std::filesystem::path folder)
      : seeds_(seeds), random_(seed), folder_(std::move(folder)) {}

  Case make() {
    const std::string command = random_.pick(kCommands);
    arguments_ = {command};
    if (command == "explain") {
      explain();
    } else if (command == "new") {
      arguments_.push_back(one_of({"fresh.yaml", "", "no/such/folder.yaml", "."}));
      if (random_.one_in(2)) add("--template", one_of({"pendulum", "arm", "nothing", "cart", ""}));
    } else if (command == "convert") {
      convert();
    } else if (command == "sweep") {
      sweep();
    } else if (command == "pad") {
      pad();
    } else if (command == "variants" && random_.one_in(4)) {
      problem(random_.pick(kGuideProblems));
      maybe(2, "--compare");
      maybe(3, "--plot", "plot.svg");
    } else if (command == "realize" && random_.one_in(6)) {
      problem(random_.pick(kSlipProblems));
    } else {
      with_model(command);
    }
    if (random_.one_in(40)) {
      case_.odd = true;
      const auto place = arguments_.begin() + static_cast<std::ptrdiff_t>(random_.below(arguments_.size() + 1));
      arguments_.insert(place, one_of({"--", "", "--nothing", "--json", "-o", "--set", "--help"}));
    }
    case_.commands.insert(case_.commands.begin(), arguments_);
    for (const auto& line : case_.commands) {
      for (const std::string& word : line) case_.given += word + "\n";
    }
    return std::move(case_);
  }

 private:
  std::string one_of(std::vector<std::string> words) { return words[random_.below(words.size())]; }
  std::string number() { return random_.pick(kNumbers); }
  // Mostly a word that can be answered: what is refused at once tests one line of the program.
  std::string mostly(std::vector<std::string> words, std::vector<std::string> wrong) {
    return one_of(random_.one_in(8) ? std::move(wrong) : std::move(words));
  }
  void add(const std::string& option, const std::string& value) {
    arguments_.push_back(option);
    arguments_.push_back(value);
  }
  void maybe(std::size_t one_in, const std::string& flag) {
    if (random_.one_in(one_in)) arguments_.push_back(flag);
  }
  void maybe(std::size_t one_in, const std::string& option, const std::string& value) {
    if (random_.one_in(one_in)) add(option, value);
  }

  // Writes a text into the folder, changed more often than not.
  void put(const std::string& name, std::string text, const std::vector<std::string>& others,
           std::size_t unchanged_of_eight = 3) {
    if (random_.below(8) >= unchanged_of_eight) text = Mutator(random_, others).mutate(std::move(text));
    std::ofstream(folder_ / name, std::ios::binary) << text;
    case_.given += text;
  }

  // A bare problem in place of a model; only its numbers are told from those of others.
  void problem(const std::string& text) {
    put("problem.json", text, seeds_.states, 2);
    add("--problem", "problem.json");
    maybe(2, "--json");
  }

  // A name as it stands in the model, or something like one.
  std::string name() {
    const std::string& text = seed_->model;
    const auto is_part = [&](std::size_t at) {
      return std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_' || text[at] == '.' || text[at] == '\'';
    };
    for (int tries = 0; tries < 30; ++tries) {
      std::size_t begin = random_.below(text.size()), end = begin;
      while (begin > 0 && is_part(begin - 1)) --begin;
      while (end < text.size() && is_part(end)) ++end;
      if (end > begin && !std::isdigit(static_cast<unsigned char>(text[begin]))) return text.substr(begin, end - begin);
    }
    return "b";
  }

  // The name of an entry of this section of the model, in lines of its own or within braces; any name where there is none.
  std::string entry(const std::string& section) {
    const std::string& text = seed_->model;
    const std::string head = "\n" + section + ":";
    const std::size_t begin = text.find(head);
    std::vector<std::string> names;
    int depth = 0, first_depth = 0;
    std::size_t line = 0, first_column = 0;
    for (std::size_t at = begin == std::string::npos ? text.size() : begin + head.size(); at < text.size(); ++at) {
      if (text[at - 1] == '\n' && std::isalpha(static_cast<unsigned char>(text[at]))) break;
      if (text[at] == '\n') line = at + 1;
      if (text[at] == '{' || text[at] == '[') ++depth;
      if (text[at] == '}' || text[at] == ']') --depth;
      if (text[at] != ':') continue;
      std::size_t from = at;
      while (std::isalnum(static_cast<unsigned char>(text[from - 1])) || text[from - 1] == '_') --from;
      const std::size_t column = depth == 0 ? from - line : 0;
      if (names.empty()) first_depth = depth, first_column = column;
      if (at > from && depth == first_depth && column == first_column) names.push_back(text.substr(from, at - from));
    }
    return names.empty() ? name() : names[random_.below(names.size())];
  }
  std::string parameter() { return entry("parameters"); }

  // A model, for most cases one that has such a section.
  void draw_model(const char* section = "") {
    for (int tries = 0; tries < 100; ++tries) {
      seed_ = &seeds_.seeds[random_.below(seeds_.seeds.size())];
      if (seed_->model.find(section) != std::string::npos || random_.one_in(200)) return;
    }
  }

  void with_model(const std::string& command) {
    draw_model(command == "steady"                           ? "\nstrings:"
               : command == "realize"                        ? "\nvelocity_constraints:"
               : command == "variants" || command == "limit" ? "\nguides:"
                                                             : "");
    put("model.yaml", seed_->model, seeds_.models);
    arguments_.push_back("model.yaml");
    if (random_.below(3) > 0) arguments_.push_back("--json");
    maybe(8, "--set", one_of({name(), parameter()}) + "=" + number());
    if (command == "inverse" || (command != "balance" && command != "derive" && command != "steady" && random_.one_in(5))) {
      put("state.json", command == "inverse" ? seed_->state_with_accelerations : seed_->state, seeds_.states, 4);
      add("--state", "state.json");
    }
    if (command == "check") {
      if (random_.one_in(3)) {
        arguments_.push_back("--assemble");
        maybe(3, "--hold", name());
      }
      maybe(6, "--page", "model.html");
    }
    if (command == "evaluate") {
      maybe(2, "--form", one_of({"recursive", "vector", "aggregate"}));
      maybe(3, "--project");
      maybe(5, "--residual", number());
    }
    if (command == "inverse") {
      if (random_.one_in(2)) {
        arguments_.resize(arguments_.size() - 2);
        put("motion.csv", seed_->motion, seeds_.motions, 4);
        add("--motion", "motion.csv");
        maybe(2, "-o", "forces.csv");
      } else {
        maybe(3, "--project");
      }
      maybe(6, "--drives", name());
    }
    if (command == "linearise" && random_.one_in(3)) {
      put("motion.csv", seed_->motion, seeds_.motions, 4);
      add("--motion", "motion.csv");
    } else if (command == "linearise" && random_.one_in(4)) {
      add("--over", parameter() + "=" + one_of({"0:1:5", "1:0:2", "1:1:3", number() + ":" + number() + ":4"}));
      maybe(2, "--table", "over.csv");
      maybe(3, "--svg", "over.svg");
    }
    if (command == "simulate") simulate();
    if (command == "series") maybe(2, "--order", mostly({"2", "5", "12", "20", "40", "60"}, {"1", "0", "-1", "1000", "2.5"}));
    if (command == "balance") {
      add("--property", one_of({"static", "force", "constant-mass-matrix", "decoupled", "reactionless"}));
      maybe(2, "--counterweight", name() + "=" + number() + ",0,0.1");
      maybe(4, "--disc", name());
      maybe(4, "--spring", name());
      maybe(6, "--drive", name());
      maybe(4, "--write", "balanced.yaml");
    }
    if (command == "steady") steady();
    if (command == "realize") realize();
    if (command == "limit") {
      add("--load", mostly({entry("forces")}, {"hand", "pull", "load", name()}));
      if (random_.one_in(4)) {
        add("--polar", "polar.svg");
        maybe(2, "--rays", mostly({"8", "100"}, {"7", "-1"}));
      }
    }
    if (command == "variants") {
      maybe(4, "--compare");
      maybe(4, "--plot", "plot.svg");
    }
    if (command == "integrals") maybe(6, "--taut", name());
    if (command == "equilibrium") {
      maybe(3, "--write-state", "found.json");
      maybe(5, "--steady", name() + "=" + one_of({"0", "1", "5", number()}));
    }
    if (command == "derive") {
      maybe(2, "--to", one_of({"text", "latex", "c"}));
      maybe(3, "--form", one_of({"closed", "joint", "automatic"}));
      maybe(3, "--terms", one_of({"1", "50", "2000", "5000", "0", "100000"}));
    }
  }

  // Mostly one question and what belongs to it: options without effect are refused.
  void steady() {
    const std::string question = one_of({"angles", "angles", "angles", "critical", "branch", "scan", "permanent", "constants",
                                         "carousel", "interval", "measured", "any"});
    const bool any = question == "any";
    const auto is = [&](const char* name) { return question == name || (any && random_.one_in(4)); };
    if (is("critical")) arguments_.push_back("--critical");
    if (is("constants")) arguments_.push_back("--constants");
    if (question == "measured") {
      put("tilts.csv", kTilts, seeds_.motions, 2);
      add("--measured", "tilts.csv");
      maybe(2, "--fit-inertia");
    }
    if (is("permanent")) arguments_.push_back("--permanent");
    if (is("carousel")) add("--carousel", name());
    if (is("interval")) add("--interval", one_of({"s1", "s2", name()}));
    if (is("scan")) add("--scan", one_of({"5", "20", "0"}));
    if (is("branch")) {
      add("--branch", one_of({"1", "2", "0", "100"}));
      maybe(2, "--to-rate", one_of({"3", "20", number()}));
      maybe(3, "--amplitude", one_of({"0.3", "2", number()}));
    }
    if (question == "angles" || question == "scan" || question == "carousel" || question == "interval" || any)
      add("--rate", one_of({"5", "2.5", "-4", "0", "1e-9", "40", number()}));
    if (question == "angles" || any) {
      for (const char* string : {"s1", "s2", "s3", "s4"}) {
        if (seed_->model.find(std::string(string) + ":") != std::string::npos || random_.one_in(20))
          add("--angle", std::string(string) + "=" + one_of({"0", "0.4", "-0.3", "1.5", number()}));
      }
      maybe(8, "--azimuth", name() + "=" + number());
    }
    maybe(6, "--spin", name() + "=" + one_of({"0", "10", number()}));
    maybe(8, "--momentum", name() + "=" + one_of({"0", "0.1", number()}));
    maybe(12, "--spin-limit", mostly({"100"}, {number()}));
    maybe(12, "--driven");
    maybe(8, "--side", name() + "=" + one_of({"below", "above", "left"}));
    maybe(3, "--stability");
    maybe(6, "--write-state", "found.json");
    maybe(6, "--draw", "found.svg");
  }

  // Mostly one question and what belongs to it, like `steady`.
  void realize() {
    const std::string question =
        one_of({"state", "motion", "motion", "certificate", "sweep", "spectrum", "critical", "inputs", "any"});
    const bool any = question == "any";
    const auto is = [&](const char* name) { return question == name || (any && random_.one_in(3)); };
    if (question == "motion" || question == "certificate" || question == "sweep" || (any && random_.one_in(2))) {
      add("--until", mostly({"0.01", "0.1", "0.5"}, {"0", "-1", number()}));
      maybe(3, "-o", "out");
    }
    if (is("certificate")) {
      arguments_.push_back("--certificate");
      maybe(2, "--samples", mostly({"5", "2", "9"}, {"1", "0", "-3"}));
      maybe(3, "--region", mostly({"0.01", "0.3"}, {number()}));
      maybe(3, "--within", mostly({"0.5", "1e-3"}, {number()}));
    }
    if (is("sweep")) add("--sweep", "viscous=1," + mostly({"100", "1e4"}, {number()}));
    if (is("spectrum")) arguments_.push_back("--spectrum");
    if (is("critical")) add("--critical", mostly({"0.1:10", "1:1e3"}, {"1:1", number() + ":" + number()}));
    if (is("inputs")) add("--inputs", name());
    maybe(2, "--bound", entry(random_.one_in(2) ? "velocity_constraints" : "contacts") + "=" + mostly({"0.5", "10"}, {number()}));
    maybe(4, "--law",
          mostly({"sign", "viscous=10", "saturated=10", "tanh=0.1", "arctan=0.1", "hysteresis=0.01", "dead-zone=0.01", "lag=0.1",
                  "delay=0.01", "backlash=0.01", "stribeck=0.1:0.7"},
                 {"viscous=" + number(), "lag=" + number(), "stribeck=" + number() + ":" + number()}));
    maybe(8, "--rows", entry("velocity_constraints"));
    maybe(8, "--completion", one_of({"partition", "orthogonal", "mass"}));
  }

  void pad() {
    maybe(2, "--pressure",
          one_of({"uniform", "punch", "hertz", "power:2", "cosine:1", "power:" + number(), "cosine:" + number()}));
    if (!random_.one_in(4)) add("--beta", one_of({"0,0.5,1,2", number(), number() + "," + number()}));
    maybe(3, "--gyration", one_of({"0.5", number()}));
    maybe(2, "--json");
  }

  void simulate() {
    add("--until", one_of({"0.001", "0.01", "0.1", "0.5", "2", "-0.1", "0", "1e-12", "1e6", number()}));
    maybe(2, "--integrator", one_of({"auto", "taylor", "dop853", "cvode", "arkode", "euler"}));
    maybe(3, "--tolerance", one_of({"1e-6", "1e-10", "1e-14", "0.5", "1e-3", number()}));
    maybe(8, "--order", mostly({"4", "20", "60"}, {"3", "-7"}));
    maybe(3, "--contacts", one_of({"bilateral", "unilateral", "frictional"}));
    if (random_.one_in(4)) {
      arguments_.push_back("--project");
      maybe(4, "--hold", name());
    }
    maybe(8, "--baumgarte", one_of({"10", "1000", number()}));
    maybe(8, "--step", one_of({"0.001", "0.01", number()}));
    maybe(8, "--max-step", one_of({"0.001", number()}));
    maybe(8, "--write", one_of({"accelerations", "forces", "accelerations,forces"}));
    maybe(8, "--fail-on", one_of({"violated", "not-unique,violated", "holds"}));
    maybe(8, "--stop-at", name());
    maybe(6, "--no-integrals");
    if (!random_.one_in(3)) add("--every", one_of({"0.01", "0.1", "1", "0", "1e6"}));
    if (random_.one_in(2)) {
      add("-o", "out");
      if (!random_.one_in(3)) arguments_.push_back("--no-report");
      if (random_.one_in(2)) case_.commands.push_back({"simulate", "model.yaml", "-o", "out", "--resume", "--no-report"});
      if (random_.one_in(4)) case_.commands.push_back({"report", "out"});
      maybe(6, "--checkpoint", mostly({"0.001"}, {number()}));
    }
  }

  // Few points, unless a change makes them many: those are refused, or interrupted like any long computation.
  void sweep() {
    draw_model("\nparameters:");
    put("model.yaml", seed_->model, seeds_.models, 6);
    static constexpr std::pair<const char*, const char*> kQuestions[] = {
        {"evaluate", "energy.kinetic"},
        {"evaluate --project", "energy.potential"},
        {"linearise", "stability.verdict"},
        {"simulate --until 0.01 --every 0.01", "final.t"},
        {"equilibrium", "stability.verdict"},
        {"steady --rate 5", "families.0.reason"},
        {"variants", "count"},
        {"limit --load hand", "alpha"},
        {"realize", "verdict"},
        {"explain", "verdicts"},
        {"simulate --until 0.01 --contacts frictional", "verdicts"}};
    const auto& asked = kQuestions[random_.below(std::size(kQuestions))];
    const std::string question = random_.one_in(8) ? "simulate --until {" + parameter() + "}" : asked.first;
    const std::string path = random_.one_in(8) ? one_of({"energy.kinetic", "final.t", "count", "verdicts"}) : asked.second;
    if (random_.one_in(2)) {
      arguments_.push_back("model.yaml");
      add("--over", parameter() + "=" +
                        mostly({"0:1:3", "1,2", "1", "0.9:1.1:2"},
                               {"0:1:1000000000", "1:1:2", number() + "," + number(), number() + ":" + number() + ":2"}));
      add("--run", question);
      add("--collect", "x=" + path);
    } else {
      const std::string axis =
          one_of({"{ from: 0, to: 1, count: 3 }", "[0.1, 0.2]", "{ normal: [1, 0.1] }", "{ sobol: [0, 1] }"});
      const bool drawn = axis.find(": [") != std::string::npos;
      put("study.yaml",
          "vinculum_study: 1\nmodel: model.yaml\nover:\n  \"" + parameter() + "\": " + axis +
              (drawn ? "\nsamples: 3\nseed: 2" : "") + "\nrun: { command: " + question.substr(0, question.find(' ')) +
              ", options: \"" + question.substr(std::min(question.find(' '), question.size())) + "\" }\ncollect: { x: " + path +
              " }\n" + one_of({"", "refine: { on: x, levels: 2 }\n", "refine: { on: x, at: 0.5, levels: 1 }\n"}),
          seeds_.models, 4);
      arguments_.push_back("study.yaml");
    }
    add("--threads", mostly({"1", "2"}, {"0", "-1"}));
    add("--limit", mostly({"1", "0.2"}, {"0"}));
    maybe(2, "--json");
    maybe(3, "--csv", "rows.csv");
    maybe(5, "--shard", mostly({"1/2", "2/2"}, {"3/2", "x"}));
    if (random_.one_in(4)) {
      auto again = arguments_;
      again.push_back("--resume");
      if (random_.one_in(2)) again.push_back("--retry");
      case_.commands.push_back(std::move(again));
    }
    if (random_.one_in(8)) case_.commands.push_back({"sweep", "--merge", "study", "--output", "whole", "--csv", "whole.csv"});
  }

  void convert() {
    put("robot.urdf", random_.pick(seeds_.robots), seeds_.robots);
    arguments_.push_back("robot.urdf");
    if (random_.one_in(2)) add("-o", "robot.yaml");
    maybe(3, "--json");
    maybe(6, "--strict");
    maybe(3, "--floating-base");
    maybe(3, "--accept-inertia");
  }

  void explain() {
    if (random_.one_in(3)) return arguments_.push_back(one_of({"--markdown", "--glossary"}));
    if (random_.one_in(2))
      arguments_.push_back(one_of({"VN-MODEL-021", "VN-RUN-150", "VN-", "", "\xff", "vn-model-021", "slip", "Painlevé paradox"}));
  }

  const Seeds& seeds_;
  Random random_;
  std::filesystem::path folder_;
  const Seed* seed_ = nullptr;
  std::vector<std::string> arguments_;
  Case case_;
};

}  // namespace vinculum::fuzz
