// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives all commands of the program with changed models, states, motions, robots and options. Whatever comes in: no crash, an
// exit code of the contract with a reason, valid JSON, no number that is none, no ragged table, and an end soon after Ctrl-C or
// SIGTERM (every other case).
//
//   fuzz_commands [--executions N] [--seed S] [--first K] [--only K] [--tell-every N]
//
// Case K of seed S is the same on every machine. What fails is left in fuzz_failures/S-K with its files and its command lines.
#include <cstdio>
#include <cstdlib>
#include <map>

#include "tests/fuzz/cases.h"

#ifdef VINCULUM_FUZZ_SANITIZED
// A process lives for some milliseconds: what it frees may be used again soon, and of a report the place itself is enough. That
// takes half the time.
extern "C" const char* __asan_default_options() {
  return "malloc_context_size=1:quarantine_size_mb=1:thread_local_quarantine_size_kb=16";
}
#endif

namespace vinculum::fuzz {
namespace {

namespace fs = std::filesystem;

struct Plan {
  long executions = 3000, first = 0;
  long tell_every = 0;  // executions between lines about how far it is; 0: none
  std::uint64_t seed = 1;
};

// What the program itself says of a model: a state, with accelerations, and a motion.
void complete(Seed& seed, const fs::path& folder) {
  std::ofstream(folder / "model.yaml", std::ios::binary) << seed.model;
  const Execution run = execute({"simulate", "model.yaml", "--until", "0.02", "--every", "0.002", "--project", "-o", "out",
                                 "--no-report", "--no-integrals", "--json"},
                                folder);
  const Json json = Json::parse(run.output, nullptr, false);
  seed.state = R"({"t": 0, "q": {"b": 0}, "v": {"b'": 1}})";
  seed.state_with_accelerations = R"({"t": 0, "q": {"b": 0}, "v": {"b'": 1}, "a": {"b'": 0.5}})";
  seed.motion = "t,b\n0,0\n0.1,0.2\n0.2,0.1\n0.3,0\n";
  if (json.is_discarded() || !json.contains("final")) return;
  Json state = json["final"];
  seed.state = state.dump(1);
  for (const auto& [name, value] : state["v"].items()) state["a"][name] = 0.25;
  seed.state_with_accelerations = state.dump(1);
  if (const std::string motion = read_whole(folder / "out/states.csv"); !motion.empty()) seed.motion = motion;
}

void empty(const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
}

Seeds read_seeds(const fs::path& folder) {
  Seeds seeds;
  std::vector<fs::path> paths;
  const fs::path root = VINCULUM_SOURCE_DIR;
  for (const char* place : {"examples", "tests/cases", "tests/files/good_models", "tests/fuzz/seeds"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / place)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    if (path.extension() == ".urdf") seeds.robots.push_back(read_whole(path));
    if (path.extension() != ".yaml") continue;
    Seed seed{read_whole(path), "", "", ""};
    empty(folder);
    complete(seed, folder);
    seeds.models.push_back(seed.model);
    seeds.states.push_back(seed.state);
    seeds.motions.push_back(seed.motion);
    seeds.seeds.push_back(std::move(seed));
  }
  return seeds;
}

std::string line_of(const std::vector<std::string>& arguments) {
  std::string line = "vinculum";
  for (const std::string& argument : arguments) line += " '" + argument + "'";
  return line;
}

std::string judge_folder(const fs::path& folder) {
  for (const char* table : {"out/states.csv", "out/reactions.csv", "forces.csv"}) {
    if (!fs::exists(folder / table)) continue;
    if (auto wrong = judge_table(folder / table); !wrong.empty()) return wrong;
  }
  return "";
}

void keep(const Case& drawn, const Execution& execution, const std::string& why, const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::create_directories(to.parent_path());
  fs::copy(from, to, fs::copy_options::recursive);
  std::ofstream note(to / "command.txt");
  note << why << "\n";
  for (const auto& arguments : drawn.commands) note << line_of(arguments) << "\n";
  note << "\nat: " << line_of(execution.arguments) << "\n";
}

int run(const Plan& plan) {
  const fs::path folder = fs::temp_directory_path() / ("vinculum_fuzz." + std::to_string(getpid()));
  empty(folder);
  const Seeds seeds = read_seeds(folder);
  std::map<std::string, long> by_code;
  long executions = 0, failures = 0, interrupted = 0;
  double seconds = 0;
  for (long index = plan.first; executions < plan.executions; ++index) {
    empty(folder);
    const double patience = index % kGivenLong == 0 ? kLongPatience : kPatience;
    const Case drawn = CaseMaker(seeds, plan.seed * 1'000'003 + static_cast<std::uint64_t>(index), folder).make();
    for (const auto& arguments : drawn.commands) {
      const Execution execution = execute(arguments, folder, patience, index % 2 == 0 ? SIGINT : SIGTERM);
      ++executions;
      if (plan.tell_every > 0 && executions % plan.tell_every == 0) {
        std::printf("%ld executions, case %ld, %ld interrupted, %.0f s of computing, %ld failures\n", executions, index,
                    interrupted, seconds, failures);
        std::fflush(stdout);
      }
      seconds += execution.seconds;
      interrupted += execution.interrupted ? 1 : 0;
      std::string why = judge(execution, drawn.given, drawn.odd);
      if (why.empty()) why = judge_folder(folder);
      ++by_code[arguments[0] + (WIFEXITED(execution.status) ? " " + std::to_string(WEXITSTATUS(execution.status)) : " x")];
      if (why.empty()) continue;
      ++failures;
      const fs::path kept = fs::path("fuzz_failures") / (std::to_string(plan.seed) + "-" + std::to_string(index));
      keep(drawn, execution, why, folder, kept);
      std::printf("case %ld: %s\n  %s\n  kept in %s\n", index, why.c_str(), line_of(arguments).c_str(), kept.c_str());
      std::fflush(stdout);
      break;
    }
  }
  fs::remove_all(folder);
  for (const auto& [code, count] : by_code) std::printf("%-16s %ld\n", code.c_str(), count);
  std::printf("%ld executions, %ld interrupted, %.0f s of computing, %ld failures\n", executions, interrupted, seconds, failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace vinculum::fuzz

int main(int argc, char** argv) {
  vinculum::fuzz::Plan plan;
  if (const char* given = std::getenv("VINCULUM_EXECUTIONS")) plan.executions = std::atol(given);
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--executions") plan.executions = std::atol(argv[i + 1]);
    if (option == "--seed") plan.seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--tell-every") plan.tell_every = std::atol(argv[i + 1]);
    if (option == "--first") plan.first = std::atol(argv[i + 1]);
    if (option == "--only") plan.first = std::atol(argv[i + 1]), plan.executions = 1;
  }
  return vinculum::fuzz::run(plan);
}
