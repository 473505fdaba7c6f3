// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/yaml_parser.h"

#include <fmt/core.h>

#include "vinculum/formats/text.h"

namespace vinculum {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_flow_sign(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }

class YamlParser {
 public:
  YamlParser(std::string_view text, YamlTreeBuilder& builder) : text_(text), builder_(builder) {}

  void document();

 private:
  enum class Within { block, flow };

  // Block collections. `parent` is the column of the collection a node stands in, -1 at the top.
  void value(int parent, bool in_mapping);
  bool belongs_to(int parent, bool in_mapping) const;
  void node(int parent, bool in_mapping, bool may_be_collection);
  void mapping(size_t offset, std::string_view anchor);
  void sequence(size_t offset, std::string_view anchor);
  bool begins_key();
  void key_and_colon();

  // Flow collections.
  void flow_collection(size_t offset, std::string_view anchor);
  void flow_key();
  void flow_node();

  void simple_scalar(Within within, int parent, size_t offset, std::string_view anchor);

  // Scalars: each leaves its text in scalar_.
  void plain(Within within, int parent);
  void plain_line(Within within);
  void check_plain_start(Within within);
  void double_quoted();
  void single_quoted();
  void quoted() { peek() == '"' ? double_quoted() : single_quoted(); }
  void fold_line_break();
  void escape();
  void block_scalar(int parent);

  struct Properties {
    std::string_view anchor;
    bool any = false;
  };
  Properties properties();
  void alias();

  // Where we are.
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n'; }
  bool at_end() const { return at_ >= text_.size(); }
  bool ends_word(size_t ahead) const { return is_space(peek(ahead)) || peek(ahead) == '\n'; }
  bool is_entry() const { return peek() == '-' && ends_word(1); }
  bool is_quote() const { return peek() == '"' || peek() == '\''; }
  bool is_comment() const {
    return !at_end() && peek() == '#' && (at_ == 0 || is_space(text_[at_ - 1]) || text_[at_ - 1] == '\n');
  }
  bool is_line_done() const { return peek() == '\n' || is_comment(); }
  bool is_marker(std::string_view marker) const { return at_ == line_ && text_.substr(at_).starts_with(marker) && ends_word(3); }
  bool is_document_end() const { return at_end() || is_marker("---") || is_marker("..."); }
  bool ends_key(Within within) const {
    return peek() == ':' && (ends_word(1) || (within == Within::flow && is_flow_sign(peek(1))));
  }

  void skip_spaces();
  void skip_to_content();   // over spaces, comments and line ends
  int indentation() const;  // of the first thing in a line
  void expect_line_end();

  [[noreturn]] void refuse(size_t offset, std::string message, std::string hint) const;
  [[noreturn]] void refuse_colon() const;
  [[noreturn]] void refuse_in_flow(size_t opening) const;

  std::string_view text_;
  YamlTreeBuilder& builder_;
  size_t at_ = 0;
  size_t line_ = 0;  // the beginning of the line we are in
  std::string scalar_;
  size_t quote_ = 0, quote_end_ = 0;  // the last text in quotes: its opening quote, and the byte behind the closing one
};

// ---- where we are ----------------------------------------------------------------------------------------------------

void YamlParser::skip_spaces() {
  while (!at_end() && is_space(peek())) ++at_;
}

void YamlParser::skip_to_content() {
  while (true) {
    skip_spaces();
    if (is_comment()) at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_end() || peek() != '\n') return;
    line_ = ++at_;
  }
}

int YamlParser::indentation() const {
  const size_t tab = text_.substr(line_, at_ - line_).find('\t');
  if (tab != std::string_view::npos) refuse(line_ + tab, "this line is indented with a tab", "YAML is indented with spaces only");
  return static_cast<int>(at_ - line_);
}

void YamlParser::expect_line_end() {
  skip_spaces();
  if (is_line_done()) return;
  if (peek() == ':') refuse_colon();
  if (at_ == quote_end_) {
    const bool is_long = builder_.line_of(quote_) != builder_.line_of(at_);
    refuse(at_, fmt::format("nothing can follow the text in quotes that began in line {}", builder_.line_of(quote_)),
           is_long ? "is a closing quote missing there?" : "put the whole value in quotes");
  }
  if (peek() == ']' || peek() == '}')
    refuse(at_, fmt::format("this `{}` closes nothing that is open", peek()), "check the brackets of this line");
  refuse(at_, fmt::format("{} cannot stand here: the value ends before it", in_quotes(first_character(text_.substr(at_)))),
         "is a quote or a comma missing?");
}

void YamlParser::refuse(size_t offset, std::string message, std::string hint) const {
  throw YamlRefusal{"VN-FILE-006", offset, std::move(message), std::move(hint)};
}

// In a text of several lines the first `key:value` is the mistake: `ms:320 kg` is no key, but a text that the next line
// continues.
void YamlParser::refuse_colon() const {
  std::string_view key, rest;
  size_t place = 0;
  for (size_t end = line_; end > 0;) {
    const size_t begin = end > 1 ? text_.rfind('\n', end - 2) + 1 : 0;  // npos + 1 is 0
    const std::string_view above = text_.substr(begin, end - 1 - begin);
    const size_t first = std::min(above.find_first_not_of(' '), above.size()), colon = above.find(':', first);
    if (colon == std::string_view::npos || colon == first || colon + 1 >= above.size() || above[colon + 1] == ' ' ||
        above.substr(first, colon - first).find_first_of(" \"'[{,#") != std::string_view::npos)
      break;
    key = above.substr(first, colon - first);
    rest = above.substr(colon + 1);
    place = begin + colon;
    end = begin;
  }
  if (!key.empty())
    refuse(place, fmt::format("a space is missing behind the colon of {}", in_quotes(key)),
           fmt::format("write `{}: {}`", key, rest.substr(0, 40)));
  refuse(at_, "a `:` cannot stand here",
         "keys that belong together begin in the same column; put a text that contains `: ` in quotes");
}

void YamlParser::refuse_in_flow(size_t opening) const {
  const bool is_list = text_[opening] == '[';
  const int line = builder_.line_of(opening);
  const bool has_comment = text_.substr(opening, at_ - opening).find(" #") != std::string_view::npos;
  const std::string hint = fmt::format("a `{}` or a comma is missing{}", is_list ? ']' : '}',
                                       has_comment ? "; a `#` behind a space begins a comment" : "");
  if (at_end()) refuse(opening, fmt::format("the {} that opens here is never closed", is_list ? "list" : "mapping"), hint);
  if (!at_end() && peek() == (is_list ? '}' : ']')) {
    refuse(at_, fmt::format("what opened with `{}` in line {} cannot be closed by `{}`", text_[opening], line, peek()),
           fmt::format("close it with `{}`", is_list ? ']' : '}'));
  }
  refuse(at_,
         fmt::format("the {} in line {} should continue or end here",
                     is_list ? "list that opened with `[`" : "mapping that opened with `{`", line),
         hint);
}

// ---- block collections -----------------------------------------------------------------------------------------------

void YamlParser::document() {
  skip_to_content();
  while (!at_end() && at_ == line_ && peek() == '%') {  // %YAML 1.2
    at_ = std::min(text_.find('\n', at_), text_.size());
    skip_to_content();
  }
  if (at_end()) return;
  if (is_marker("---")) {
    at_ += 3;
    value(-1, false);
  } else {
    indentation();
    node(-1, false, true);
  }
  skip_to_content();
  if (is_marker("...")) {
    at_ += 3;
    expect_line_end();
    skip_to_content();
  }
  if (at_end()) return;
  if (is_marker("---")) {
    throw YamlRefusal{"VN-FILE-007", at_, "a second YAML document begins here",
                      "a file holds one model; a line `---` begins another document"};
  }
  refuse(at_, "this does not fit to what stands above it", "keys that belong together begin in the same column");
}

// What stands behind `key:` or `-`: in the same line, or further down and further in. A list may begin in the column of its key.
void YamlParser::value(int parent, bool in_mapping) {
  const size_t indicator = at_;
  skip_spaces();
  if (!is_line_done()) return node(parent, in_mapping, !in_mapping);
  skip_to_content();
  if (belongs_to(parent, in_mapping)) return node(parent, in_mapping, true);
  builder_.add_null(indicator);
}

// True if the line we have come to is part of what stands in the collection of column `parent`.
bool YamlParser::belongs_to(int parent, bool in_mapping) const {
  if (is_document_end()) return false;
  const int column = indentation();
  return column > parent || (in_mapping && column == parent && is_entry());
}

void YamlParser::node(int parent, bool in_mapping, bool may_be_collection) {
  const size_t offset = at_;
  const Properties own = properties();
  bool stands_alone = !own.any;  // nothing before it in its line but what belongs to the collection around it
  if (own.any && is_line_done()) {
    skip_to_content();
    if (!belongs_to(parent, in_mapping)) return builder_.add_null(offset, own.anchor);
    may_be_collection = stands_alone = true;
  }
  if (is_entry()) {
    if (!may_be_collection || !stands_alone)
      refuse(at_, "a `-` of a list cannot stand here", "entries of a list begin in the same column");
    return sequence(offset, own.anchor);
  }
  if (may_be_collection && begins_key()) {
    if (!stands_alone) refuse(offset, "an anchor cannot stand before a key", "put it behind the colon");
    return mapping(offset, own.anchor);
  }

  if (peek() == '[' || peek() == '{') {
    flow_collection(offset, own.anchor);
  } else if (peek() == '*' && !own.any) {
    alias();
  } else if (peek() == '|' || peek() == '>') {
    block_scalar(parent);
    return builder_.add_scalar(offset, scalar_, own.anchor);
  } else {
    simple_scalar(Within::block, parent, offset, own.anchor);
  }
  expect_line_end();
}

// True if a single word in this line is followed by a colon.
bool YamlParser::begins_key() {
  if (peek() == '[' || peek() == '{' || peek() == '*' || peek() == '|' || peek() == '>' || is_line_done()) return false;
  const size_t begin = at_, line = line_;
  is_quote() ? quoted() : plain_line(Within::block);
  skip_spaces();
  const bool found = ends_key(Within::block) && line_ == line;
  at_ = begin;
  line_ = line;
  return found;
}

void YamlParser::key_and_colon() {
  const size_t begin = at_, line = line_;
  if (is_entry()) refuse(at_, "a `-` of a list cannot stand here", "expected `key: value`, as in the lines above");
  if (peek() == '?' && ends_word(1)) refuse(at_, "a `?` cannot stand here", "a key is a single word: write `key: value`");
  if (is_flow_sign(peek()) || peek() == '*' || peek() == '&' || peek() == '!')
    refuse(at_, "a key must be a single word", "write `key: value`");
  if (!is_quote()) check_plain_start(Within::block);
  is_quote() ? quoted() : plain_line(Within::block);
  const size_t end = at_;
  skip_spaces();
  if (!ends_key(Within::block) || line_ != line) {
    const bool lacks_space = text_.substr(begin, end - begin).find(':') != std::string_view::npos;
    refuse(begin, fmt::format("expected `key: value`, found {}", in_quotes(text_.substr(begin, end - begin))),
           lacks_space ? "a space is needed behind the colon" : "is the colon missing?");
  }
  builder_.add_scalar(begin, scalar_);
  ++at_;
}

void YamlParser::mapping(size_t offset, std::string_view anchor) {
  const int column = static_cast<int>(at_ - line_);
  builder_.begin_mapping(offset, anchor);
  while (true) {
    key_and_colon();
    value(column, true);
    skip_to_content();
    if (is_document_end()) break;
    const int next = indentation();
    if (next < column) break;
    if (next > column)
      refuse(at_, "this line begins in a column that fits to none of the lines above",
             "keys that belong together begin in the same column");
  }
  builder_.end();
}

void YamlParser::sequence(size_t offset, std::string_view anchor) {
  const int column = static_cast<int>(at_ - line_);
  builder_.begin_list(offset, anchor);
  while (true) {
    ++at_;
    value(column, false);
    skip_to_content();
    if (is_document_end()) break;
    const int next = indentation();
    if (next < column || (next == column && !is_entry())) break;
    if (next > column)
      refuse(at_, "this line begins in a column that fits to none of the lines above",
             "entries of a list begin in the same column");
  }
  builder_.end();
}

// ---- flow collections ------------------------------------------------------------------------------------------------

void YamlParser::flow_collection(size_t offset, std::string_view anchor) {
  const size_t opening = at_;
  const bool is_list = peek() == '[';
  const char closing = is_list ? ']' : '}';
  is_list ? builder_.begin_list(offset, anchor) : builder_.begin_mapping(offset, anchor);
  ++at_;
  while (true) {
    skip_to_content();
    if (at_end()) refuse_in_flow(opening);
    if (peek() == closing) break;
    if (peek() == ',') refuse(at_, "there is nothing before this comma", "take one comma away, or add what is missing");
    is_list ? flow_node() : flow_key();
    skip_to_content();
    if (at_end()) refuse_in_flow(opening);
    if (peek() == closing) break;
    if (at_ == quote_end_ && builder_.line_of(quote_) != builder_.line_of(at_) && peek() != ',') expect_line_end();
    if (peek() != ',') refuse_in_flow(opening);
    ++at_;
  }
  ++at_;
  builder_.end();
}

void YamlParser::flow_key() {
  const size_t begin = at_;
  if (peek() == '[' || peek() == '{' || peek() == '*' || peek() == '&' || peek() == '!')
    refuse(at_, "a key must be a single word", "write `key: value`");
  const bool in_quotes_of_its_own = is_quote();
  in_quotes_of_its_own ? quoted() : plain(Within::flow, -1);
  const std::string key = scalar_;
  builder_.add_scalar(begin, key);
  skip_to_content();
  if (at_end()) return builder_.add_null(begin);  // never closed: told by the collection
  if (peek() == ':' && (in_quotes_of_its_own || ends_key(Within::flow))) {
    ++at_;
    skip_to_content();
    if (at_end() || peek() == ',' || peek() == '}') return builder_.add_null(begin);
    return flow_node();
  }
  if (peek() == ',' || peek() == '}') {
    const bool is_rest_of_formula = key.find(')') != key.npos && key.find('(') == key.npos;
    refuse(begin, fmt::format("expected `key: value`, found {}", in_quotes(key)),
           key.find(':') != key.npos ? "a space is needed behind the colon"
           : is_rest_of_formula      ? "a comma ends a value here: put a formula that has one into quotes, \"min(a, b)\""
                                     : "is a colon missing, or a bracket [ ] round a list?");
  }
  builder_.add_null(begin);  // something else stands here: told by the collection
}

void YamlParser::flow_node() {
  const size_t offset = at_;
  const Properties own = properties();
  if (own.any) skip_to_content();
  if (peek() == '[' || peek() == '{') return flow_collection(offset, own.anchor);
  if (peek() == '*' && !own.any) return alias();
  if (own.any && (at_end() || peek() == ',' || peek() == ']' || peek() == '}')) return builder_.add_null(offset, own.anchor);
  simple_scalar(Within::flow, -1, offset, own.anchor);
}

// ---- anchors, aliases, tags ------------------------------------------------------------------------------------------

YamlParser::Properties YamlParser::properties() {
  Properties found;
  while (!at_end() && (peek() == '&' || peek() == '!')) {
    const size_t begin = at_;
    while (!ends_word(0) && !is_flow_sign(peek())) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word[0] == '&') found.anchor = word.substr(1);
    if (word == "&") refuse(begin, "an anchor has no name", "put a text that begins with `&` in quotes");
    if (word[0] == '!') builder_.tell_tag(begin, word);
    found.any = true;
    skip_spaces();
  }
  return found;
}

void YamlParser::alias() {
  const size_t begin = at_++;
  while (!ends_word(0) && !is_flow_sign(peek())) ++at_;
  builder_.add_alias(begin, text_.substr(begin + 1, at_ - begin - 1));
}

// ---- scalars ---------------------------------------------------------------------------------------------------------

void YamlParser::simple_scalar(Within within, int parent, size_t offset, std::string_view anchor) {
  const bool is_plain = !is_quote();
  is_plain ? plain(within, parent) : quoted();
  const bool is_null = is_plain && (scalar_ == "~" || scalar_ == "null" || scalar_ == "Null" || scalar_ == "NULL");
  is_null ? builder_.add_null(offset, anchor) : builder_.add_scalar(offset, scalar_, anchor);
}

void YamlParser::check_plain_start(Within within) {
  const char c = peek();
  const bool is_alone = ends_word(1) || (within == Within::flow && is_flow_sign(peek(1)));
  if (c == ':' && is_alone) refuse(at_, "there is no key before this `:`", "write `key: value`");
  if ((c == '-' || c == '?') && is_alone)
    refuse(at_, fmt::format("a `{}` cannot stand here", c), "put a text that begins with it in quotes");
  if (is_flow_sign(c) || std::string_view("#&*!|>%@`").find(c) != std::string_view::npos) {
    refuse(at_, fmt::format("a value cannot begin with `{}`", c), "put the text in quotes");
  }
}

// The part of a plain scalar that stands in one line.
void YamlParser::plain_line(Within within) {
  const size_t begin = at_;
  while (peek() != '\n' && !is_comment() && !ends_key(within) && !(within == Within::flow && is_flow_sign(peek()))) ++at_;
  while (at_ > begin && is_space(text_[at_ - 1])) --at_;
  scalar_ = text_.substr(begin, at_ - begin);
}

// A plain scalar goes on in the next lines as long as these are further in (in a flow collection: until a sign ends it), and a
// line end counts as a space, an empty line as a line end.
void YamlParser::plain(Within within, int parent) {
  check_plain_start(within);
  plain_line(within);
  std::string whole = scalar_;
  while (true) {
    const size_t end = at_, line = line_;
    skip_spaces();
    int breaks = 0;
    while (!at_end() && peek() == '\n') {
      line_ = ++at_;
      ++breaks;
      skip_spaces();
    }
    const bool is_further_in =
        within == Within::flow ? !is_flow_sign(peek()) && !ends_key(within) : static_cast<int>(at_ - line_) > parent;
    if (breaks == 0 || is_document_end() || is_comment() || !is_further_in) {
      at_ = end;
      line_ = line;
      break;
    }
    if (within == Within::block) indentation();
    plain_line(within);
    whole += (breaks == 1 ? std::string(" ") : std::string(static_cast<size_t>(breaks - 1), '\n')) + scalar_;
  }
  scalar_ = std::move(whole);
}

// A line end inside quotes, with the spaces around it, is a space; further empty lines are line ends.
void YamlParser::fold_line_break() {
  int breaks = 0;
  while (!at_end() && (is_space(peek()) || peek() == '\n')) {
    if (peek() == '\n') {
      ++breaks;
      line_ = at_ + 1;
    }
    ++at_;
  }
  scalar_ += breaks == 1 ? std::string(" ") : std::string(static_cast<size_t>(breaks - 1), '\n');
}

void YamlParser::double_quoted() {
  quote_ = at_++;
  scalar_.clear();
  size_t written = 0;  // up to here the text is not to be trimmed at a line end
  while (!at_end() && peek() != '"') {
    if (peek() == '\\') {
      escape();
      written = scalar_.size();
    } else if (peek() == '\n') {
      while (scalar_.size() > written && is_space(scalar_.back())) scalar_.pop_back();
      fold_line_break();
      written = scalar_.size();
    } else {
      scalar_ += text_[at_++];
    }
  }
  if (at_end()) refuse(quote_, "the quote that opens here is never closed", "add the closing quote");
  quote_end_ = ++at_;
}

void YamlParser::single_quoted() {
  quote_ = at_++;
  scalar_.clear();
  size_t written = 0;
  while (!at_end() && (peek() != '\'' || peek(1) == '\'')) {
    if (peek() == '\n') {
      while (scalar_.size() > written && is_space(scalar_.back())) scalar_.pop_back();
      fold_line_break();
      written = scalar_.size();
    } else {
      scalar_ += peek();
      at_ += peek() == '\'' ? 2 : 1;
    }
  }
  if (at_end()) refuse(quote_, "the quote that opens here is never closed", "add the closing quote");
  quote_end_ = ++at_;
}

void append_utf8(std::uint32_t code, std::string& text) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

void YamlParser::escape() {
  const size_t begin = at_;
  const char c = peek(1);
  at_ += 2;
  if (c == '\n' || (c == '\r' && peek() == '\n')) {  // the line end does not count, nor do the spaces that follow; empty lines do
    if (c == '\r') ++at_;
    line_ = at_;
    for (skip_spaces(); !at_end() && peek() == '\n'; skip_spaces()) {
      scalar_ += '\n';
      line_ = ++at_;
    }
    return;
  }
  constexpr std::string_view kNames = "0abt\tnvfre \"/\\N_LP";
  constexpr std::uint32_t kCodes[] = {0, 7, 8, 9, 9, 10, 11, 12, 13, 27, ' ', '"', '/', '\\', 0x85, 0xA0, 0x2028, 0x2029};
  if (const size_t known = kNames.find(c); known != kNames.npos) return append_utf8(kCodes[known], scalar_);

  const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  std::uint32_t code = 0;
  for (size_t i = 0; i < digits; ++i) {
    const size_t digit =
        std::string_view("0123456789abcdef").find(static_cast<char>(std::tolower(static_cast<unsigned char>(peek()))));
    if (digit == std::string_view::npos)
      refuse(begin, "an escape sequence is cut short", "\\x has 2 hexadecimal digits, \\u has 4, \\U has 8");
    code = code * 16 + static_cast<std::uint32_t>(digit);
    ++at_;
  }
  if (digits == 0) {
    refuse(begin,
           fmt::format("the escape sequence {} is unknown",
                       in_quotes(fmt::format("\\{}", first_character(text_.substr(begin + 1))))),
           "write \\\\ for a backslash, or use single quotes");
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
    refuse(begin, "there is no character of this number", "use the character itself");
  append_utf8(code, scalar_);
}

// | keeps line ends, > makes them spaces except around lines that are further in; - drops the last line end, + keeps all of them.
void YamlParser::block_scalar(int parent) {
  const bool folds = peek() == '>';
  const size_t header = at_++;
  char chomp = ' ';
  int indent = 0;
  for (; !ends_word(0); ++at_) {
    if (peek() == '+' || peek() == '-') {
      chomp = peek();
    } else if (peek() >= '1' && peek() <= '9' && indent == 0) {
      indent = std::max(parent, 0) + (peek() - '0');
    } else {
      refuse(header, fmt::format("a value cannot begin with `{}`", text_[header]), "put the text in quotes");
    }
  }
  expect_line_end();
  at_ = std::min(text_.find('\n', at_), text_.size());

  scalar_.clear();
  int breaks = 0;  // line ends since the last line that says something
  bool is_first = true, was_further_in = false, has_last_break = false;
  while (!at_end()) {
    const size_t begin = at_ + 1;  // behind the line end
    if (begin >= text_.size()) break;
    const size_t end = std::min(text_.find('\n', begin), text_.size());
    std::string_view line = text_.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    if (spaces == line.size() && (indent == 0 || spaces <= static_cast<size_t>(indent))) {
      ++breaks;
      at_ = end;
      line_ = begin;
      continue;
    }
    if (indent == 0) {
      if (line[spaces] == '\t') refuse(begin + spaces, "this line is indented with a tab", "YAML is indented with spaces only");
      if (static_cast<int>(spaces) <= parent) break;
      indent = static_cast<int>(spaces);
    }
    if (static_cast<int>(spaces) < indent) break;
    line.remove_prefix(static_cast<size_t>(indent));
    const bool is_further_in = line[0] == ' ' || line[0] == '\t';
    if (is_first) {
      scalar_.append(static_cast<size_t>(breaks), '\n');
    } else if (folds && !is_further_in && !was_further_in) {
      scalar_ += breaks == 0 ? std::string(" ") : std::string(static_cast<size_t>(breaks), '\n');
    } else {
      scalar_.append(static_cast<size_t>(breaks) + 1, '\n');
    }
    scalar_ += line;
    breaks = 0;
    is_first = false;
    was_further_in = is_further_in;
    has_last_break = end < text_.size();
    at_ = end;
    line_ = begin;
  }
  if (chomp == '+') scalar_.append(static_cast<size_t>(breaks), '\n');
  if (chomp != '-' && !is_first && has_last_break) scalar_ += '\n';
}

}  // namespace

void parse_yaml(std::string_view text, YamlTreeBuilder& builder) { YamlParser(text, builder).document(); }

}  // namespace vinculum
