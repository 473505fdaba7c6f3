// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>
#include <unordered_map>

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "vinculum/files/text.h"
#include "vinculum/files/yaml_document.h"

namespace vinculum {

namespace {

constexpr size_t kDeepest = 64;            // a model needs less than 10
constexpr size_t kLargestExpansion = 1'000'000;   // nodes that come from aliases

// Thrown through the parser when the document cannot be accepted.
struct Refusal {
  std::string_view code;
  size_t offset = 0;
  std::string message;
  std::string hint;
};

}  // namespace

// Builds the tree from the parser's events.
class YamlTreeBuilder : public YAML::EventHandler {
 public:
  YamlTreeBuilder(std::string_view text, Diagnostics& diagnostics) : document_(text), diagnostics_(diagnostics) {
    document_.records_.reserve(text.size() / 6);
  }

  YamlDocument take() { return std::move(document_); }
  bool has_document() const { return documents_ > 0; }
  Place place(size_t offset) const { return document_.places_.at(offset); }

  // The innermost list or mapping that is still open, and the last scalar.
  std::optional<size_t> open_collection() const {
    if (open_.empty()) return std::nullopt;
    return document_.records_[open_.back().record].offset;
  }
  size_t last_scalar() const { return last_scalar_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) {
      throw Refusal{"VN-FILE-007", offset(mark), "a second YAML document begins here", "a file holds one model; a line `---` begins another document"};
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    // What is not there stands where its key stands.
    const bool is_value = !open_.empty() && is_mapping(open_.back()) && (pending_.size() - open_.back().children) % 2 == 1;
    const size_t at = is_value ? document_.records_[pending_.back()].offset : offset(mark);
    add(YamlDocument::Kind::null, at, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    check_tag(mark, tag);
    last_scalar_ = offset(mark);
    auto& record = document_.records_[add(YamlDocument::Kind::scalar, offset(mark), anchor)];
    record.first = static_cast<std::uint32_t>(document_.scalars_.size());
    record.count = static_cast<std::uint32_t>(value.size());
    document_.scalars_ += value;
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto target = anchors_.find(anchor);
    if (target == anchors_.end()) {
      throw Refusal{"VN-FILE-008", offset(mark), "this alias stands inside the node it refers to", "an alias may only refer to what is complete"};
    }
    weight_ += target->second.weight;
    expansion_ += target->second.weight;
    if (expansion_ > kLargestExpansion) {
      throw Refusal{"VN-FILE-008", offset(mark), fmt::format("aliases expand to more than {} nodes", kLargestExpansion),
                    "write the model out, or use fewer aliases inside aliases"};
    }
    hand_over(target->second.record, offset(mark));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    begin(YamlDocument::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    begin(YamlDocument::Kind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override {
    drop_repeated_keys();
    end();
  }

 private:
  struct Open {
    std::uint32_t record = 0;
    size_t children = 0;      // the first of its children in pending_
    YAML::anchor_t anchor = YAML::NullAnchor;
    size_t weight_before = 0;
  };
  struct Anchored {
    std::uint32_t record = 0;
    size_t weight = 0;        // nodes it stands for, aliases inside it expanded
  };

  static size_t offset(const YAML::Mark& mark) { return static_cast<size_t>(std::max(mark.pos, 0)); }
  bool is_mapping(const Open& open) const { return document_.records_[open.record].kind == YamlDocument::Kind::mapping; }
  std::string_view scalar(std::uint32_t index) const {
    const auto& record = document_.records_[index];
    return std::string_view(document_.scalars_).substr(record.first, record.count);
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    diagnostics_.error("VN-FILE-028", place(offset(mark)), "", fmt::format("the YAML tag {} has no meaning here", in_quotes(tag)),
                       "leave it out: the key decides what a value means");
  }

  // Gives a node to the collection that is open; a key must be a scalar.
  void hand_over(std::uint32_t index, size_t at) {
    if (open_.empty()) {
      document_.root_ = index;
      return;
    }
    const bool is_key = is_mapping(open_.back()) && (pending_.size() - open_.back().children) % 2 == 0;
    if (is_key && document_.records_[index].kind != YamlDocument::Kind::scalar) {
      throw Refusal{"VN-FILE-006", at, "a key must be a single word", "write `key: value`"};
    }
    pending_.push_back(index);
  }

  std::uint32_t add(YamlDocument::Kind kind, size_t at, YAML::anchor_t anchor) {
    const auto index = static_cast<std::uint32_t>(document_.records_.size());
    document_.records_.push_back({kind, static_cast<std::uint32_t>(at), 0, 0});
    ++weight_;
    if (anchor != YAML::NullAnchor) anchors_[anchor] = {index, 1};
    hand_over(index, at);
    return index;
  }

  void begin(YamlDocument::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    check_tag(mark, tag);
    if (open_.size() >= kDeepest) {
      throw Refusal{"VN-FILE-005", offset(mark), fmt::format("lists and mappings are nested more than {} deep", kDeepest),
                    "a model needs less than ten levels; is a bracket too many?"};
    }
    const size_t weight_before = weight_;
    const std::uint32_t index = add(kind, offset(mark), YAML::NullAnchor);
    open_.push_back({index, pending_.size(), anchor, weight_before});
  }

  void end() {
    const Open closed = open_.back();
    open_.pop_back();
    auto& record = document_.records_[closed.record];
    record.first = static_cast<std::uint32_t>(document_.children_.size());
    record.count = static_cast<std::uint32_t>(pending_.size() - closed.children);
    document_.children_.insert(document_.children_.end(), pending_.begin() + closed.children, pending_.end());
    pending_.resize(closed.children);
    if (closed.anchor != YAML::NullAnchor) anchors_[closed.anchor] = {closed.record, weight_ - closed.weight_before};
  }

  void drop_repeated_keys() {
    const size_t first = open_.back().children;
    if (pending_.size() % 2 != first % 2) pending_.pop_back();
    std::unordered_map<std::string_view, size_t> seen;
    constexpr size_t kFew = 32;   // below, comparing each with each is faster than a table
    const bool few = pending_.size() - first <= kFew;
    size_t kept = first;
    for (size_t i = first; i < pending_.size(); i += 2) {
      const std::string_view key = scalar(pending_[i]);
      size_t earlier = i;
      if (few) {
        for (size_t k = first; k < kept && earlier == i; k += 2) {
          if (scalar(pending_[k]) == key) earlier = k;
        }
      } else if (const auto [entry, is_new] = seen.emplace(key, kept); !is_new) {
        earlier = entry->second;
      }
      if (earlier != i) {
        diagnostics_.error("VN-FILE-009", place(document_.records_[pending_[i]].offset), "",
                           fmt::format("the key {} stands here a second time; the first is in line {}", in_quotes(key),
                                       place(document_.records_[pending_[earlier]].offset).line),
                           "keep one of the two");
        continue;
      }
      pending_[kept] = pending_[i];
      pending_[kept + 1] = pending_[i + 1];
      kept += 2;
    }
    pending_.resize(kept);
  }

  YamlDocument document_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> pending_;   // children of the collections that are open
  std::unordered_map<YAML::anchor_t, Anchored> anchors_;
  size_t weight_ = 0;      // nodes so far, aliases expanded
  size_t expansion_ = 0;   // those that came from aliases
  size_t last_scalar_ = 0;
  int documents_ = 0;
};

namespace {

// The byte behind the closing quote of the quoted scalar at `at`; none if it is not quoted, npos if the quote is never closed.
std::optional<size_t> find_end_of_quotes(std::string_view text, size_t at) {
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return std::nullopt;
  const char quote = text[at];
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != quote) return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

// The beginning of the line in which a byte stands.
size_t line_start(std::string_view text, size_t at) { return at == 0 ? 0 : text.rfind('\n', at - 1) + 1; }

std::optional<size_t> find_tab_in_indentation(std::string_view text, size_t at) {
  size_t i = line_start(text, at);
  while (i < text.size() && text[i] == ' ') ++i;
  return i < text.size() && text[i] == '\t' ? std::optional(i) : std::nullopt;
}

void tell_unclosed_quote(const YamlTreeBuilder& builder, Diagnostics& diagnostics) {
  diagnostics.error("VN-FILE-006", builder.place(builder.last_scalar()), "", "the quote that opens here is never closed", "add the closing quote");
}

// True if the last line before this one that says anything is no `key: value`: then that is the line to mend.
bool follows_line_without_colon(std::string_view text, size_t at) {
  for (size_t end = line_start(text, at); end > 0;) {
    const size_t begin = line_start(text, end - 1);
    std::string_view line = text.substr(begin, end - 1 - begin);
    line = line.substr(0, line.find('#'));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (!line.empty()) return line.find(": ") == line.npos && !line.substr(0, line.find_last_not_of(" \t\r") + 1).ends_with(':');
    end = begin;
  }
  return false;
}

// The parser's words for what is not YAML, in the words of somebody who wants to mend it.
void explain_syntax_error(const YAML::ParserException& error, std::string_view text, const YamlTreeBuilder& builder,
                          Diagnostics& diagnostics) {
  size_t at = static_cast<size_t>(std::clamp<int>(error.mark.pos, 0, static_cast<int>(text.size())));
  const auto say = [&](std::string message, std::string hint) {
    diagnostics.error("VN-FILE-006", builder.place(at), "", std::move(message), std::move(hint));
  };
  const auto is = [&](const char* message) { return error.msg == message; };
  const int line_of_open = builder.place(builder.open_collection().value_or(0)).line;

  const auto end = find_end_of_quotes(text, builder.last_scalar());
  if (end == std::string_view::npos) return tell_unclosed_quote(builder, diagnostics);
  if (end && builder.place(builder.last_scalar()).line < builder.place(*end).line &&
      builder.place(*end).line == builder.place(at).line) {
    return say(fmt::format("nothing can follow the text in quotes that began in line {}", builder.place(builder.last_scalar()).line),
               "is a closing quote missing there?");
  }
  if (const auto tab = find_tab_in_indentation(text, at)) {
    at = *tab;
    return say("this line is indented with a tab", "YAML is indented with spaces only");
  }
  if (is(YAML::ErrorMsg::END_OF_SEQ_FLOW) || is(YAML::ErrorMsg::END_OF_MAP_FLOW)) {
    const bool is_list = is(YAML::ErrorMsg::END_OF_SEQ_FLOW);
    const size_t begin = std::min(builder.open_collection().value_or(0), at);
    const bool has_comment = text.substr(begin, at - begin).find(" #") != text.npos;
    return say(fmt::format("the {} in line {} should go on or end here", is_list ? "list that opened with `[`" : "mapping that opened with `{`", line_of_open),
               fmt::format("a `{}` or a comma is missing{}", is_list ? ']' : '}', has_comment ? "; a `#` behind a space begins a comment" : ""));
  }
  if (is(YAML::ErrorMsg::END_OF_MAP) || is(YAML::ErrorMsg::END_OF_SEQ)) {
    return say(fmt::format("this does not fit to the {} that began in line {}", is(YAML::ErrorMsg::END_OF_MAP) ? "mapping" : "list", line_of_open),
               "keys that belong together begin in the same column; a text that begins with a quote must end with it");
  }
  if (is(YAML::ErrorMsg::MAP_VALUE)) {
    return say("a `:` cannot stand here", follows_line_without_colon(text, at)
                                              ? "is there no `: ` in the line before this one?"
                                              : "keys that belong together begin in the same column; put a text that contains `: ` in quotes");
  }
  if (is(YAML::ErrorMsg::BLOCK_ENTRY)) return say("a `-` of a list cannot stand here", "entries of a list begin in the same column");
  if (is(YAML::ErrorMsg::MAP_KEY)) return say("a `?` cannot stand here", "put a text that begins with `?` in quotes");
  if (is(YAML::ErrorMsg::FLOW_END)) {
    const char opened = text[std::min(builder.open_collection().value_or(0), text.size() - 1)];
    if (opened == '[' || opened == '{') {
      return say(fmt::format("what opened with `{}` in line {} cannot be closed by `{}`", opened, line_of_open, text.substr(at, 1)),
                 fmt::format("close it with `{}`", opened == '[' ? ']' : '}'));
    }
    return say(fmt::format("this `{}` closes nothing that is open", at < text.size() ? text.substr(at, 1) : "]"), "check the brackets of this line");
  }
  if (is(YAML::ErrorMsg::UNKNOWN_TOKEN)) {
    return say(fmt::format("a value cannot begin with {}", in_quotes(first_character(text.substr(at)))), "put the text in quotes");
  }
  if (is(YAML::ErrorMsg::UNKNOWN_ANCHOR)) {
    return say("this alias refers to an anchor that is not there", "a text that begins with `*` needs quotes");
  }
  if (error.msg.starts_with(YAML::ErrorMsg::INVALID_ESCAPE)) {
    return say("an escape sequence in this text is unknown", "write \\\\ for a backslash, or use single quotes");
  }
  say("this is not valid YAML: " + error.msg, "");
}

// What no YAML parser need see.
bool is_readable_text(std::string_view text, Diagnostics& diagnostics) {
  if (!check_file_size(text.size(), diagnostics)) return false;
  const size_t bad = find_non_text(text);
  if (bad == std::string_view::npos) return true;
  diagnostics.error("VN-FILE-004", TextPlaces(text.substr(0, bad)).at(bad), "",
                    fmt::format("this is not a text: byte 0x{:02X} is not part of any character in UTF-8", static_cast<unsigned char>(text[bad])),
                    "is this a model file? A text in another encoding must be saved as UTF-8");
  return false;
}

}  // namespace

bool check_file_size(size_t bytes, Diagnostics& diagnostics) {
  if (bytes <= kLargestModelFile) return true;
  diagnostics.error("VN-FILE-002", {}, "", fmt::format("this file has {:.0f} MB; at most {} MB are read", static_cast<double>(bytes) / (1 << 20), kLargestModelFile >> 20),
                    "is it a model file?");
  return false;
}

std::optional<YamlDocument> load_yaml(std::string_view text, Diagnostics& diagnostics) {
  if (!is_readable_text(text, diagnostics)) return std::nullopt;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);   // the mark some editors put in front

  YamlTreeBuilder builder(text, diagnostics);
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
    if (!builder.has_document()) {
      diagnostics.error("VN-FILE-003", {1, 1}, "", "there is no model in this file: it is empty or holds only comments",
                        "`vinculum new model.yaml` writes one to begin with");
      return std::nullopt;
    }
    if (find_end_of_quotes(text, builder.last_scalar()) == std::string_view::npos) {
      tell_unclosed_quote(builder, diagnostics);
      return std::nullopt;
    }
    return builder.take();
  } catch (const Refusal& refusal) {
    diagnostics.error(refusal.code, builder.place(refusal.offset), "", refusal.message, refusal.hint);
  } catch (const YAML::ParserException& error) {
    explain_syntax_error(error, text, builder, diagnostics);
  } catch (const YAML::Exception& error) {
    diagnostics.error("VN-FILE-006", {}, "", fmt::format("this is not valid YAML: {}", error.what()));
  }
  return std::nullopt;
}

}  // namespace vinculum
