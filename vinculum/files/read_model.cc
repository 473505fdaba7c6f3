// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/read_model.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <tuple>

#include <fmt/core.h>

#include "vinculum/files/output_names.h"
#include "vinculum/files/read_sections.h"

namespace vinculum {

namespace {

void check_version(ReaderContext& context, const Fields& sections) {
  const YamlNode version = sections.require("vinculum", "the format version stands in the first line: `vinculum: 1`");
  if (!version || version.text() == "1") return;
  context.error("VN-FILE-013", version,
                fmt::format("this program reads format version 1, found {}",
                            version.is_scalar() ? in_quotes(version.text()) : std::string(version.kind_text())),
                "write `vinculum: 1`");
}

// A velocity constraint with friction names the row that presses. (The rows are known if nothing was wrong with their elements.)
void check_normal_rows(ReaderContext& context, const ModelDescription& model) {
  std::vector<std::string> rows;
  for (const auto& constraint : model.velocity_constraints) {
    const std::string& row = *constraint.normal;
    if (row.empty()) continue;
    if (rows.empty()) {
      for (RowName& known : list_row_names(context, model)) rows.push_back(std::move(known.name));
    }
    if (std::find(rows.begin(), rows.end(), row) != rows.end()) continue;
    const std::string nearest = nearest_name(row, rows);
    context.begin_element(fmt::format("velocity constraint {}", in_quotes(constraint.name)));
    context.error("VN-MODEL-110", constraint.normal.place, fmt::format("normal: there is no constraint {}", in_quotes(row)),
                  nearest.empty() ? "use CONTACT.normal, a velocity constraint, a string, or GUIDE.1"
                                  : fmt::format("did you mean '{}'?", nearest));
  }
}

class ModelReader {
 public:
  ModelReader(const YamlDocument& document, Diagnostics& diagnostics) : root_(document.root()), context_(diagnostics, root_) {}

  ModelDescription read(const ReadOptions& options) {
    ModelDescription model;
    const Fields sections(
        context_, root_,
        {"vinculum", "name", "gravity", "parameters", "bodies", "environment", "contacts", "motions", "velocity_constraints",
         "strings", "guides", "events", "outputs", "states", "inputs", "samples", "tables", "forces", "initial"});
    if (!sections || context_.has_errors()) context_.lose_structure();
    check_version(context_, sections);
    read_text(context_, sections["name"], model.name);
    if (is_lost(sections, "parameters")) context_.lose_parameters();
    read_parameters(context_, sections["parameters"], options, model);
    read_tables(context_, sections["tables"], options, model);
    read_vector(context_, sections["gravity"], {kAcceleration}, model.gravity, model.gravity_formulas);
    const YamlNode bodies = sections.require("bodies", "every body stands under its name: `bodies: {boom: {..}}`");
    if (!bodies || is_lost(sections, "bodies")) context_.lose_bodies();
    read_bodies(context_, bodies, model);
    declare_states(context_, sections["states"], model);
    read_inputs(context_, sections["inputs"], model);
    declare_samples(context_, sections["samples"], model);
    read_rates(context_, sections["states"], model);
    read_samples(context_, sections["samples"], model);
    read_environment(context_, sections["environment"], model);
    read_contacts(context_, sections["contacts"], model);
    read_motions(context_, sections["motions"], model);
    read_velocity_constraints(context_, sections["velocity_constraints"], model);
    read_strings(context_, sections["strings"], model);
    read_guides(context_, sections["guides"], model);
    read_forces(context_, sections["forces"], model);
    OutputNames names(context_, model);
    read_outputs(context_, sections["outputs"], names, model);
    read_events(context_, sections["events"], model);
    add_written(context_, names, options.written, model);
    read_initial(context_, sections["initial"], options, model);
    if (!context_.has_errors()) check_normal_rows(context_, model);
    context_.begin_element("");
    if (context_.has_enough()) {
      context_.error("VN-FILE-030", Place{}, "there are too many errors; the rest of the file was not read",
                     "correct these first");
    }
    return model;
  }

  const ReaderContext& context() const { return context_; }

 private:
  static bool is_lost(const Fields& sections, std::string_view key) {
    const YamlNode section = sections[key];
    return sections.is_misspelt(key) || (section && !section.is_mapping() && !section.is_null());
  }

  YamlNode root_;
  ReaderContext context_;
};

// The place of what a rule of the model is about, for rules that know none.
Place find_place(YamlNode root, std::string_view element) {
  for (const auto& [kind, section] : {std::pair{"body '", "bodies"}, std::pair{"parameter '", "parameters"}}) {
    if (!element.starts_with(kind)) continue;
    element.remove_prefix(std::strlen(kind));
    const YamlNode entries = root.find(section);
    const YamlNode entry = entries ? entries.find(element.substr(0, element.find('\''))) : YamlNode();
    return entry ? entry.head() : Place{};
  }
  const YamlNode bodies = root.find("bodies");
  return element.empty() && bodies ? bodies.head() : Place{};
}

// Told in the order of the file; what has no place comes first.
void tell_in_order(const Diagnostics& found, YamlNode root, Diagnostics& diagnostics) {
  std::vector<Diagnostic> list = found.list();
  for (Diagnostic& d : list) {
    if (d.place.line == 0 && root) d.place = find_place(root, d.element);
  }
  std::stable_sort(list.begin(), list.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  for (Diagnostic& d : list) {
    const auto tell = d.severity == Severity::error ? &Diagnostics::error : &Diagnostics::warning;
    (diagnostics.*tell)(d.code, d.place, std::move(d.element), std::move(d.message), std::move(d.hint));
  }
}

// The rules of the model that are broken beside what is wrongly written, told in the same go. What could not be read has a value
// by default; a rule that seems broken at its place, or at none, is no news.
void tell_broken_rules(ModelDescription description, Diagnostics& found) {
  const auto same = [](Place a, Place b) { return a.line == b.line && a.column == b.column; };
  const std::vector<Diagnostic> told = found.list();
  Diagnostics of_model;
  build_model(std::move(description), of_model);
  for (const Diagnostic& d : of_model.list()) {
    const bool is_known = std::any_of(told.begin(), told.end(), [&](const Diagnostic& t) { return same(t.place, d.place); });
    if (d.severity == Severity::error && d.place.line > 0 && !is_known)
      found.error(d.code, d.place, d.element, d.message, d.hint);
  }
}

}  // namespace

std::optional<ModelDescription> read_description(std::string_view text, Diagnostics& diagnostics, const ReadOptions& options) {
  Diagnostics found;
  const auto document = load_yaml(text, found);
  std::optional<ModelDescription> description;
  if (document) description = ModelReader(*document, found).read(options);
  tell_in_order(found, document ? document->root() : YamlNode(), diagnostics);
  if (found.has_errors()) return std::nullopt;
  return description;
}

namespace {

std::optional<Model> build_from(const std::optional<YamlDocument>& document, Diagnostics found, Diagnostics& diagnostics,
                                const ReadOptions& options) {
  std::optional<Model> model;
  if (document) {
    ModelReader reader(*document, found);
    ModelDescription description = reader.read(options);
    if (!found.has_errors()) {
      model = build_model(std::move(description), found);
    } else if (!reader.context().is_structure_lost()) {
      tell_broken_rules(std::move(description), found);
    }
  }
  tell_in_order(found, document ? document->root() : YamlNode(), diagnostics);
  return model;
}

std::string folder_of(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).parent_path().string();
}

// The text of a model file; none, and told, if there is none to be had.
std::optional<std::string> read_text_of(const std::string& path, Diagnostics& diagnostics) {
  if (diagnostics.list().empty()) diagnostics = Diagnostics(path);
  std::error_code ignored;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, ignored)) {
    diagnostics.error("VN-FILE-001", {}, "",
                      fmt::format("the file cannot be read: {}", file ? "it is a directory" : std::strerror(errno)));
    return std::nullopt;
  }
  // A file tells its size; a pipe has none.
  if (std::filesystem::is_regular_file(path, ignored) && !check_file_size(std::filesystem::file_size(path, ignored), diagnostics))
    return std::nullopt;
  std::string text;
  constexpr size_t kChunk = size_t{1} << 20;
  do {
    const size_t size = text.size();
    text.resize(size + kChunk);
    file.read(text.data() + size, kChunk);
    text.resize(size + static_cast<size_t>(file.gcount()));
  } while (file && text.size() <= kLargestModelFile);
  return text;
}

}  // namespace

std::optional<Model> read_model(std::string_view text, Diagnostics& diagnostics, const ReadOptions& options) {
  Diagnostics found;
  const auto document = load_yaml(text, found);
  return build_from(document, std::move(found), diagnostics, options);
}

std::optional<Model> read_model_file(const std::string& path, Diagnostics& diagnostics, const ReadOptions& options) {
  const auto text = read_text_of(path, diagnostics);
  ReadOptions inside = options;
  inside.folder = folder_of(path);
  return text ? read_model(*text, diagnostics, inside) : std::nullopt;
}

// The document refers to the text, which stays where it is.
struct ModelSource::Content {
  std::string text;
  std::optional<YamlDocument> document;
  Diagnostics found;   // warnings of the text itself
  std::string folder;  // of the file
};

ModelSource::ModelSource(std::unique_ptr<Content> content) : content_(std::move(content)) {}
ModelSource::ModelSource(ModelSource&&) noexcept = default;
ModelSource& ModelSource::operator=(ModelSource&&) noexcept = default;
ModelSource::~ModelSource() = default;

std::optional<ModelSource> ModelSource::open(const std::string& path, Diagnostics& diagnostics) {
  auto text = read_text_of(path, diagnostics);
  auto source = text ? parse(std::move(*text), diagnostics) : std::nullopt;
  if (source) source->content_->folder = folder_of(path);
  return source;
}

std::optional<ModelSource> ModelSource::parse(std::string text, Diagnostics& diagnostics) {
  auto content = std::make_unique<Content>();
  content->text = std::move(text);
  content->document = load_yaml(content->text, content->found);
  if (content->document) return ModelSource(std::move(content));
  tell_in_order(content->found, YamlNode(), diagnostics);
  return std::nullopt;
}

std::optional<Model> ModelSource::build(Diagnostics& diagnostics, const ReadOptions& options) const {
  ReadOptions inside = options;
  if (inside.folder.empty()) inside.folder = content_->folder;
  return build_from(content_->document, content_->found, diagnostics, inside);
}

Model read_model_text(std::string_view text) {
  Diagnostics diagnostics;
  auto model = read_model(text, diagnostics);
  if (model) return std::move(*model);
  std::string message;
  for (const Diagnostic& d : diagnostics.list()) message += to_text(d) + "\n";
  throw std::runtime_error(message);
}

}  // namespace vinculum
