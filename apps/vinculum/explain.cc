// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "command.h"
#include "vinculum/verdict/catalogue.h"
#include "vinculum/verdict/glossary.h"

namespace vinculum::app {

namespace {

constexpr std::pair<std::string_view, std::string_view> kTitles[] = {
    {"VN-BALANCE", "balancing"},
    {"VN-CONTACT", "contacts and constraints"},
    {"VN-DERIVE", "printed equations of motion"},
    {"VN-EXPR", "expressions and units"},
    {"VN-FILE", "files and their syntax"},
    {"VN-GUIDE", "guides with friction"},
    {"VN-INPUT", "inputs and sampled controllers"},
    {"VN-INTEGRAL", "conservation laws"},
    {"VN-LINEAR", "equilibrium and linearisation"},
    {"VN-MODEL", "contents of models"},
    {"VN-REALIZE", "constraints kept by limited forces"},
    {"VN-RUN", "computations"},
    {"VN-STEADY", "steady motions of bodies on strings"},
    {"VN-STRING", "strings"},
    {"VN-STUDY", "studies"},
    {"VN-URDF", "conversion of URDF"},
    {"VN-USAGE", "command line"},
    {"VN-VARIANT", "loaded faces of guides"},
};

std::string title_of(std::string_view prefix) {
  for (const auto& [known, title] : kTitles) {
    if (known == prefix) return fmt::format("{}: {}", prefix, title);
  }
  return std::string(prefix);
}

// Outside of code in backticks, < and * would be taken for tags and emphasis, and | in a table for the end of a cell.
std::string to_markdown(std::string_view text, bool in_table = false) {
  std::string escaped;
  bool is_code = false;
  for (const char c : text) {
    if (c == '`') is_code = !is_code;
    if ((!is_code && (c == '<' || c == '*')) || (in_table && c == '|')) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The page docs/messages.md.
void print_page() {
  print(
      "# Messages\n\n"
      "Every message of the program ends in a code, which does not change from version to version.\n"
      "`vinculum explain CODE` prints its entry: what is wrong, why it matters, how to fix it, and an example where the code\n"
      "belongs to a model file or an option. This page is printed by `vinculum explain --markdown`.\n");
  std::string_view section;
  for (const CatalogueEntry& entry : catalogue()) {
    const std::string_view prefix = entry.code.substr(0, entry.code.rfind('-'));
    if (prefix != section) print(fmt::format("\n## {}\n", title_of(prefix)));
    section = prefix;
    print(fmt::format("\n### {}\n\n**{}.** {} *Fix:* {}\n", entry.code, to_markdown(entry.title), to_markdown(entry.why),
                      to_markdown(entry.fix)));
    if (!entry.after.empty()) print(fmt::format("\n```text\nbefore: {}\nafter:  {}\n```\n", entry.before, entry.after));
  }
}

// The page docs/glossary.md.
void print_glossary() {
  print(
      "# Glossary\n\n"
      "Words of this program: what they mean, other names in use, and the words in Russian and German.\n"
      "`vinculum explain WORD` prints an entry; this page is printed by `vinculum explain --glossary`.\n\n"
      "| word | meaning | also called | Russian | German |\n|---|---|---|---|---|\n");
  for (const GlossaryEntry& entry : glossary())
    print(fmt::format("| {} | {} | {} | {} | {} |\n", entry.word, to_markdown(entry.meaning, true), entry.also, entry.russian,
                      entry.german));
}

// Lines of at most 90 characters behind a label of ten.
std::string paragraph(std::string_view label, std::string_view text) {
  constexpr size_t kWidth = 90;
  std::string out, line;
  std::istringstream words{std::string(text)};
  const auto end_line = [&] {
    out += fmt::format("  {:<9} {}\n", out.empty() ? label : std::string_view(), line);
    line.clear();
  };
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) end_line();
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) end_line();
  return out;
}

// Lines as they are: blanks mean something in an example.
std::string example(std::string_view label, std::string_view text) {
  std::string out;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);)
    out += fmt::format("  {:<9} {}\n", out.empty() ? label : std::string_view(), line);
  return out;
}

std::string to_text(const CatalogueEntry& entry) {
  return fmt::format("{}: {}\n", entry.code, entry.title) + paragraph("why", entry.why) + paragraph("fix", entry.fix) +
         example("before", entry.before) + example("after", entry.after);
}

std::string to_text(const GlossaryEntry& entry) {
  return fmt::format("{}\n", entry.word) + paragraph("meaning", entry.meaning) + paragraph("also", entry.also) +
         paragraph("Russian", entry.russian) + paragraph("German", entry.german);
}

Json to_json(const CatalogueEntry& entry) {
  Json json = {{"code", entry.code},
               {"kind", vinculum::to_text(entry.kind)},
               {"title", entry.title},
               {"why", entry.why},
               {"fix", entry.fix}};
  if (!entry.after.empty()) json["example"] = {{"before", entry.before}, {"after", entry.after}};
  return json;
}

Json to_json(const GlossaryEntry& entry) {
  Json json = {{"word", entry.word}, {"meaning", entry.meaning}};
  if (!entry.also.empty()) json["also"] = entry.also;
  json["russian"] = entry.russian;
  json["german"] = entry.german;
  return json;
}

int refuse_unknown(const std::string& wanted, Reply& reply) {
  std::vector<std::string> known;
  for (const CatalogueEntry& entry : catalogue()) known.emplace_back(entry.code);
  for (const GlossaryEntry& entry : glossary()) known.emplace_back(entry.word);
  const std::string nearest = nearest_name(wanted, known);
  return reply.refuse_usage(
      fmt::format("there is no message and no term '{}'", wanted),
      nearest.empty() ? "`vinculum explain` lists all messages and terms" : fmt::format("did you mean '{}'?", nearest));
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

int answer_explain(const std::vector<std::string>& words, Reply& reply) {
  const std::string wanted = fmt::format("{}", fmt::join(words, " "));
  const CatalogueEntry* const message = find_in_catalogue(in_capitals(wanted));
  const GlossaryEntry* const term = find_in_glossary(wanted);
  if (!words.empty() && message == nullptr && term == nullptr) return refuse_unknown(wanted, reply);
  Json messages = Json::array(), terms = Json::array();
  std::string text;
  const auto tell = [&](const auto& entry, Json& list) {
    list.push_back(to_json(entry));
    text += (text.empty() ? "" : "\n") + to_text(entry);
  };
  for (const CatalogueEntry& entry : catalogue()) {
    if (words.empty() || &entry == message) tell(entry, messages);
  }
  for (const GlossaryEntry& entry : glossary()) {
    if (words.empty() || &entry == term) tell(entry, terms);
  }
  reply.json()["messages"] = std::move(messages);
  reply.json()["terms"] = std::move(terms);
  text.pop_back();  // the line end that `say` adds
  reply.say(text);
  return reply.finish(kDone);
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  struct Options {
    std::vector<std::string> words;
    bool markdown = false, glossary = false, json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("explain", "explain a message code or a term; without one, list all");
  command->footer(
      "examples:\n"
      "  vinculum explain VN-MODEL-021        what is wrong, why it matters, how to fix it\n"
      "  vinculum explain friction demand     what a term means, and its usual names");
  CLI::Option* words = command->add_option("code", options->words, "code of a message, as printed in brackets, or a term");
  words->type_name("CODE|TERM");
  CLI::Option* json = command->add_flag("--json", options->json, "print one JSON document instead of text");
  CLI::Option* markdown = command->add_flag("--markdown", options->markdown, "print all messages as a page, docs/messages.md");
  command->add_flag("--glossary", options->glossary, "print all terms as a page, docs/glossary.md")
      ->excludes(words)
      ->excludes(markdown)
      ->excludes(json);
  markdown->excludes(words)->excludes(json);
  command->callback([options, &exit_code] {
    if (options->markdown) return print_page();
    if (options->glossary) return print_glossary();
    Reply reply(options->json);
    exit_code = answer_explain(options->words, reply);
  });
}

}  // namespace vinculum::app
