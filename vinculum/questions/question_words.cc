// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/questions/question_words.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace vinculum {

namespace {

// The words of one question, option after option.
class Words {
 public:
  Words& flag(const char* name, bool given) {
    if (given) add(name);
    return *this;
  }
  Words& text(const char* name, const std::string& value, const std::string& usual = {}) {
    if (value != usual) add(fmt::format("{} {}", name, in_quotation(value)));
    return *this;
  }
  template <class Number>
  Words& number(const char* name, Number value, Number usual) {
    if (value != usual) add(fmt::format("{} {}", name, value));
    return *this;
  }
  Words& number(const char* name, const std::optional<double>& value) {
    if (value) add(fmt::format("{} {}", name, *value));
    return *this;
  }
  Words& each(const char* name, const std::vector<std::string>& values) {
    for (const std::string& value : values) add(fmt::format("{} {}", name, in_quotation(value)));
    return *this;
  }
  Words& list(const char* name, const std::vector<std::string>& values) {
    if (!values.empty()) add(fmt::format("{} {}", name, in_quotation(fmt::format("{}", fmt::join(values, ",")))));
    return *this;
  }
  Words& of_model(const ModelOptions& options) { return each("--set", options.sets).text("--state", options.state); }
  Words& of_projection(const ProjectOptions& options) { return flag("--project", options.project).list("--hold", options.hold); }

  const std::string& line() const { return line_; }

 private:
  void add(const std::string& words) { line_ += (line_.empty() ? "" : " ") + words; }
  static std::string in_quotation(const std::string& word) {
    if (!word.empty() && word.find_first_of(" \t'\"`") == std::string::npos) return word;
    const char mark = word.find('"') == std::string::npos ? '"' : '\'';
    return mark + word + mark;
  }

  std::string line_;
};

struct QuestionWords {
  const char* command;
  std::string options;
};

QuestionWords words_of(const SimulateOptions& options) {
  const RunOptions usual;
  Words words;
  words.text("--until", options.until_rest ? "rest" : "").number("--until", options.until);
  words.text("--integrator", options.run.integrator, usual.integrator)
      .number("--tolerance", options.run.tolerance, usual.tolerance);
  words.number("--order", options.run.order, usual.order)
      .number("--max-step", options.largest_step)
      .number("--step", options.step);
  words.number("--every", options.run.every, usual.every)
      .list("--write", words_of(options.written))
      .text("--stop-at", options.run.stop_at);
  words.text("--contacts", std::string(word_of(options.run.follow)), std::string(word_of(usual.follow)));
  words.number("--baumgarte", options.run.baumgarte, usual.baumgarte).flag("--no-integrals", !options.run.watch_integrals);
  words.text("--inputs", options.inputs).of_projection(options).of_model(options);
  return {"simulate", words.line()};
}

QuestionWords words_of(const EvaluateOptions& options) {
  const EvaluateOptions usual;
  Words words;
  words.text("--form", options.form, usual.form).number("--residual", options.residual, usual.residual);
  return {"evaluate", words.of_projection(options).of_model(options).line()};
}

QuestionWords words_of(const EquilibriumOptions& options) {
  return {"equilibrium", Words().each("--steady", options.steady).of_model(options).line()};
}

QuestionWords words_of(const LineariseOptions& options) { return {"linearise", Words().of_model(options).line()}; }

QuestionWords words_of(const VariantsOptions& options) {
  return {"variants", Words().flag("--compare", options.compare).of_model(options).line()};
}

QuestionWords words_of(const LimitOptions& options) {
  return {"limit", Words().text("--load", options.load).of_model(options).line()};
}

QuestionWords words_of(const RealizeOptions& options) {
  const RealizeOptions usual;
  Words words;
  words.list("--rows", options.rows).each("--bound", options.bounds).text("--law", options.law).number("--until", options.until);
  words.flag("--certificate", options.certificate).number("--samples", options.samples, usual.samples);
  words.number("--region", options.region).number("--within", options.within).text("--sweep", options.sweep);
  words.text("--completion", options.completion, usual.completion).list("--inputs", options.inputs);
  words.flag("--spectrum", options.spectrum).text("--critical", options.critical);
  words.number("--tolerance", options.tolerance, usual.tolerance);
  return {"realize", words.of_model(options).line()};
}

QuestionWords words_of(const SteadyMotionOptions& options) {
  const SteadyMotionOptions usual;
  Words words;
  words.number("--rate", options.rate).each("--angle", options.angles).each("--side", options.sides);
  words.each("--spin", options.spins).each("--momentum", options.momenta).each("--azimuth", options.azimuths);
  words.text("--interval", options.interval).text("--carousel", options.carousel).flag("--critical", options.critical);
  words.number("--branch", options.branch, 0).number("--amplitude", options.amplitude).number("--to-rate", options.to_rate);
  words.number("--scan", options.scan, 0).flag("--stability", options.stability).flag("--driven", options.driven);
  words.flag("--permanent", options.permanent).flag("--constants", options.constants);
  words.number("--spin-limit", options.spin_limit, usual.spin_limit);
  return {"steady", words.of_model(options).line()};
}

}  // namespace

void set_question(Study& study, const QuestionOptions& options) {
  const QuestionWords words = std::visit([](const auto& own) { return words_of(own); }, options);
  study.command = words.command;
  study.options = words.options;
}

std::string_view to_text(Written what) { return what == Written::accelerations ? "accelerations" : "forces"; }

std::optional<Written> find_written(std::string_view word) {
  for (const Written what : {Written::accelerations, Written::forces}) {
    if (word == to_text(what)) return what;
  }
  return std::nullopt;
}

std::vector<std::string> words_of(const std::vector<Written>& written) {
  std::vector<std::string> words;
  for (const Written what : written) words.emplace_back(to_text(what));
  return words;
}

}  // namespace vinculum
