// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/report.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <fmt/core.h>

#include "vinculum/files/json_text.h"
#include "vinculum/files/kinematics_document.h"
#include "vinculum/formats/base64.h"
#include "vinculum/math/visit.h"
#include "vinculum/model/units.h"
#include "vinculum/page/drawing.h"
#include "vinculum/page/report_page.h"

namespace vinculum {

namespace {

using Poses = std::vector<ReportPose>;

constexpr std::size_t kMostEvents = 600'000;  // that the page lists: 10 MB
constexpr std::size_t kFewestSamples = 200;   // with fewer, curves are given up for samples

// Six digits are plenty for a drawing.
double rounded(double value) {
  const std::string text = fmt::format("{:.6g}", value);
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Json triple(const Vector3& a) { return {rounded(a.x), rounded(a.y), rounded(a.z)}; }

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

double largest_magnitude(const std::vector<Vector3>& vectors) {
  double largest = 0;
  for (const Vector3& vector : vectors) largest = std::max(largest, norm(vector));
  return largest;
}

bool rests(const Poses& poses) {
  return std::all_of(poses.begin(), poses.end(), [&](const ReportPose& pose) {
    const Quaternion &a = pose.orientation, &b = poses.front().orientation;
    return pose.position == poses.front().position && a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
  });
}

Json solid_document(const DrawnSolid& solid) {
  constexpr const char* kRoles[] = {"shape", "inertia", "rod", "joint"};
  Json document{{"role", kRoles[static_cast<int>(solid.role)]}};
  const auto set = [&](const char* form, Json size) {
    document["form"] = form;
    document["size"] = std::move(size);
  };
  std::visit(Overloaded{[&](const Box& box) { set("box", triple(box.size)); },
                        [&](const Cylinder& cylinder) {
                          set("cylinder", {rounded(cylinder.radius), rounded(cylinder.length)});
                        },
                        [&](const Sphere& sphere) { set("sphere", Json::array({rounded(sphere.radius)})); },
                        [&](const Capsule& capsule) {
                          set("capsule", {rounded(capsule.radius), rounded(capsule.length)});
                        },
                        [&](const DrawnMesh& mesh) {
                          set("mesh", {mesh.mesh, rounded(mesh.scale)});
                        }},
             solid.form);
  if (!(solid.position == Vector3{})) document["position"] = triple(solid.position);
  const Quaternion q = to_quaternion(solid.rotation);
  if (q.w != 1) document["orientation"] = {rounded(q.w), rounded(q.x), rounded(q.y), rounded(q.z)};
  if (!solid.color.empty()) document["color"] = solid.color;
  return document;
}

Json solids_document(const std::vector<DrawnSolid>& solids) {
  Json document = Json::array();
  for (const DrawnSolid& solid : solids) document.push_back(solid_document(solid));
  return document;
}

Json anchor_document(const Anchor& anchor) {
  constexpr const char* kOn[] = {"world", "body", "environment"};
  return {{"on", kOn[static_cast<int>(anchor.on)]}, {"index", anchor.index}, {"point", triple(anchor.point)}};
}

Json surface_document(const DrawnSurface& surface) {
  return {{"x", surface.x},
          {"y", surface.y},
          {"columns", surface.columns},
          {"rows", surface.rows},
          {"heights", to_base64(surface.heights)}};
}

// `count` of `total` samples, evenly, the first and the last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t total) {
  std::vector<std::size_t> chosen(count);
  for (std::size_t k = 0; k < count; ++k) chosen[k] = count > 1 ? (k * (total - 1) + (count - 1) / 2) / (count - 1) : 0;
  return chosen;
}

// Writes the document for a choice of samples and of groups of curves.
class DocumentWriter {
 public:
  DocumentWriter(const Model& model, const Report& report)
      : model_(model), report_(report), drawing_(draw_model(model, report)), warnings_(drawing_.warnings) {
    for (const ReportSeries& series : report.series) curves_.push_back(&series);
    const auto count_moving = [](const std::vector<Poses>& bodies) {
      return static_cast<std::size_t>(
          std::count_if(bodies.begin(), bodies.end(), [](const Poses& poses) { return !rests(poses); }));
    };
    moving_ = count_moving(report.body_poses) + count_moving(report.environment_poses);
    for (const ReportElement& element : report.elements) moving_ += !rests(element.frames);
  }

  // How many samples fit into so many bytes.
  std::size_t samples_within(std::size_t largest) const {
    constexpr std::size_t kPose = 7 * sizeof(float), kForce = 3 * sizeof(float);
    const std::size_t elements = report_.elements.size(), grips = report_.grips.size();
    const std::size_t vectors = report_.paths.size() + report_.arrows.size();
    const auto tensions = static_cast<std::size_t>(std::count_if(
        drawing_.lines.begin(), drawing_.lines.end(), [&](const DrawnLine& line) { return find_tension(line) != nullptr; }));
    const std::size_t arrays = 1 + curves_.size() + report_.body_poses.size() + report_.environment_poses.size() + 2 * elements +
                               vectors + 2 * grips + tensions;
    const std::size_t fixed = safe_in_script(document({})).size() + arrays * base64_size(kPose);
    const std::size_t sample =
        (1 + curves_.size() + 2 * grips + tensions) * sizeof(double) + moving_ * kPose + (elements + vectors) * kForce;
    return largest > fixed ? (largest - fixed) * 3 / 4 / sample : 0;
  }

  // Gives up the curves of the last group; false if there are none left.
  bool leave_out_a_group() {
    if (curves_.empty()) return false;
    const std::string group = curves_.back()->group;
    const std::size_t count = std::erase_if(curves_, [&](const ReportSeries* series) { return series->group == group; });
    warnings_.push_back(fmt::format("the curves of '{}' ({}) are left out: a report has at most {} MB", group, count,
                                    kLargestReport / 1'000'000));
    return true;
  }

  Json document(const std::vector<std::size_t>& samples) const {
    Json document{
        {"format", 1},
        {"title", report_.title.empty() ? model_.name() : report_.title},
        {"end",
         {{"state", report_.end.state}, {"reason", report_.end.reason}, {"at", report_.end.at}, {"asked", report_.end.asked}}},
        {"facts", Json::array()},
        {"warnings", warnings_},
        {"samples", {{"shown", samples.size()}, {"total", std::max(report_.samples_of_run, report_.times.size())}}},
        {"gravity", triple(model_.gravity())},
        {"times", chosen_values(report_.times, samples)},
        {"world", solids_document(drawing_.world)},
        {"bodies", Json::array()},
        {"environment", Json::array()},
        {"lines", Json::array()},
        {"elements", Json::array()},
        {"paths", Json::array()},
        {"grips", Json::array()},
        {"arrows", Json::array()},
        {"meshes", Json::array()},
        {"series", Json::array()},
        {"verdicts", Json::array()},
        {"guides", Json::array()}};
    for (const ReportFact& fact : report_.facts) document["facts"].push_back({{"name", fact.name}, {"value", fact.value}});
    for (std::size_t i = 0; i < model_.bodies().size(); ++i) {
      const Body& body = model_.bodies()[i];
      document["bodies"].push_back({{"name", body.name},
                                    {"parent", body.parent},
                                    {"mass", rounded(body.mass)},
                                    {"com", triple(body.p_BoBcm_B)},
                                    {"shapes", solids_document(drawing_.bodies[i])},
                                    {"poses", chosen_poses(report_.body_poses[i], samples)}});
    }
    for (std::size_t i = 0; i < model_.environment().size(); ++i) {
      document["environment"].push_back(
          {{"name", model_.environment()[i].name}, {"poses", chosen_poses(report_.environment_poses[i], samples)}});
      if (drawing_.environment[i]) document["environment"].back()["surface"] = surface_document(*drawing_.environment[i]);
    }
    for (const DrawnLine& line : drawing_.lines) {
      document["lines"].push_back({{"kind", line.is_spring ? "spring" : "string"},
                                   {"name", line.name},
                                   {"ends", {anchor_document(line.from), anchor_document(line.to)}}});
      if (!line.is_spring) document["lines"].back()["length"] = rounded(line.length);
      if (const ReportSeries* const tension = find_tension(line))
        document["lines"].back()["tension"] = chosen_values(tension->values, samples);
    }
    for (const ReportElement& element : report_.elements) document["elements"].push_back(element_document(element, samples));
    for (const ReportPath& path : report_.paths)
      document["paths"].push_back({{"name", path.name}, {"points", chosen_points(path.points, samples)}});
    for (const ReportGrip& grip : report_.grips) {
      document["grips"].push_back({{"name", grip.name},
                                   {"unit", grip.unit},
                                   {"bound", rounded(grip.bound)},
                                   {"lateral", chosen_values(grip.lateral, samples)},
                                   {"forward", grip.forward.empty() ? "" : chosen_values(grip.forward, samples)}});
    }
    for (const ReportArrow& arrow : report_.arrows) {
      document["arrows"].push_back({{"group", arrow.group},
                                    {"name", arrow.name},
                                    {"body", arrow.body},
                                    {"point", triple(arrow.point)},
                                    {"moment", arrow.is_moment},
                                    {"largest", rounded(largest_magnitude(arrow.vectors))},
                                    {"vectors", chosen_points(arrow.vectors, samples)}});
    }
    for (const auto& mesh : drawing_.meshes) document["meshes"].push_back(to_base64(mesh));
    for (const ReportSeries* series : curves_) {
      document["series"].push_back({{"group", series->group},
                                    {"name", series->name},
                                    {"unit", series->unit},
                                    {"largest", rounded(largest_magnitude(series->values))},
                                    {"values", chosen_values(series->values, samples)}});
    }
    for (const Verdict& verdict : report_.verdicts) document["verdicts"].push_back(to_json(verdict));
    for (const ReportGuide& guide : report_.guides)
      document["guides"].push_back({{"name", guide.name}, {"work", {rounded(guide.work[0]), rounded(guide.work[1])}}});
    document["events"] = events_document();
    if (!report_.adjustable.empty()) document["kinematics"] = kinematics_document(model_, report_.adjustable);
    return document;
  }

 private:
  // The curve that colours a string or a spring: what it pulls with.
  const ReportSeries* find_tension(const DrawnLine& line) const {
    const auto found = std::find_if(report_.series.begin(), report_.series.end(), [&](const ReportSeries& series) {
      return series.name == line.name && series.group == (line.is_spring ? kSpringCurves : kStringCurves);
    });
    return found == report_.series.end() ? nullptr : &*found;
  }

  // Names once, then for each event its time and the number of its name: a run may have a million of them.
  Json events_document() const {
    Json names = Json::array();
    std::unordered_map<std::string, float> numbers;
    std::vector<double> times;
    std::vector<float> which;
    for (const ReportEvent& event : report_.events) {
      if (times.size() == kMostEvents) break;
      const auto [number, is_new] = numbers.emplace(event.name, static_cast<float>(numbers.size()));
      if (is_new) names.push_back(event.name);
      times.push_back(event.t);
      which.push_back(number->second);
    }
    return {{"total", report_.events.size()}, {"names", names}, {"times", to_base64(times)}, {"which", to_base64(which)}};
  }

  static std::string chosen_values(const std::vector<double>& values, const std::vector<std::size_t>& samples) {
    std::vector<double> chosen;
    chosen.reserve(samples.size());
    for (const std::size_t k : samples) chosen.push_back(values[k]);
    return to_base64(chosen);
  }

  static std::string chosen_points(const std::vector<Vector3>& points, const std::vector<std::size_t>& samples) {
    std::vector<float> numbers;
    numbers.reserve(3 * samples.size());
    for (const std::size_t k : samples) {
      for (int i = 0; i < 3; ++i) numbers.push_back(static_cast<float>(points[k][i]));
    }
    return to_base64(numbers);
  }

  static Json element_document(const ReportElement& element, const std::vector<std::size_t>& samples) {
    return {{"name", element.name},
            {"along", element.holds_along},
            {"about", element.holds_about},
            {"frames", chosen_poses(element.frames, samples)},
            {"largest", rounded(largest_magnitude(element.forces))},
            {"forces", chosen_points(element.forces, samples)},
            {"apart", element.apart}};
  }

  // One pose is enough of a body that rests.
  static std::string chosen_poses(const Poses& poses, const std::vector<std::size_t>& samples) {
    std::vector<float> numbers;
    const std::size_t count = rests(poses) ? std::min<std::size_t>(1, samples.size()) : samples.size();
    numbers.reserve(7 * count);
    for (std::size_t k = 0; k < count; ++k) {
      const auto& [p, q] = poses[samples[k]];
      for (const double number : {p.x, p.y, p.z, q.w, q.x, q.y, q.z}) numbers.push_back(static_cast<float>(number));
    }
    return to_base64(numbers);
  }

  const Model& model_;
  const Report& report_;
  const Drawing drawing_;
  std::vector<std::string> warnings_;
  std::vector<const ReportSeries*> curves_;  // those that are kept
  std::size_t moving_ = 0;                   // bodies and elements that do not rest
};

// The interface promises it: every array is complete, every number finite.
[[maybe_unused]] bool is_sound(const Model& model, const Report& report) {
  const std::size_t count = report.times.size();
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto sound_values = [&](const std::vector<double>& values) {
    return values.size() == count && std::all_of(values.begin(), values.end(), finite);
  };
  const auto sound_poses = [&](const Poses& poses) {
    return poses.size() == count && std::all_of(poses.begin(), poses.end(), [&](const ReportPose& pose) {
             const auto& [p, q] = pose;
             return finite(p.x + p.y + p.z) && finite(q.w + q.x + q.y + q.z);
           });
  };
  const auto sound_element = [&](const ReportElement& element) {
    return sound_poses(element.frames) && element.forces.size() == count &&
           std::all_of(element.forces.begin(), element.forces.end(), [&](const Vector3& f) { return finite(f.x + f.y + f.z); });
  };
  const auto sound_arrow = [&](const ReportArrow& arrow) {
    return arrow.vectors.size() == count &&
           std::all_of(arrow.vectors.begin(), arrow.vectors.end(), [&](const Vector3& f) { return finite(f.x + f.y + f.z); });
  };
  return count > 0 && report.body_poses.size() == model.bodies().size() &&
         report.environment_poses.size() == model.environment().size() && sound_values(report.times) &&
         std::all_of(report.body_poses.begin(), report.body_poses.end(), sound_poses) &&
         std::all_of(report.environment_poses.begin(), report.environment_poses.end(), sound_poses) &&
         std::all_of(report.elements.begin(), report.elements.end(), sound_element) &&
         std::all_of(report.arrows.begin(), report.arrows.end(), sound_arrow) &&
         std::all_of(report.paths.begin(), report.paths.end(),
                     [&](const ReportPath& path) { return path.points.size() == count; }) &&
         std::all_of(report.grips.begin(), report.grips.end(),
                     [&](const ReportGrip& grip) {
                       return sound_values(grip.lateral) && (grip.forward.empty() || sound_values(grip.forward));
                     }) &&
         std::all_of(report.series.begin(), report.series.end(),
                     [&](const ReportSeries& series) { return sound_values(series.values); });
}

}  // namespace

Outcome<std::string> report_document(const Model& model, const Report& report, std::size_t largest) {
  assert(is_sound(model, report));
  DocumentWriter writer(model, report);
  const std::size_t total = report.times.size();
  std::size_t fitting = writer.samples_within(largest);
  while (fitting < std::min(total, kFewestSamples) && writer.leave_out_a_group()) fitting = writer.samples_within(largest);
  if (fitting < std::min<std::size_t>(total, 2)) {
    return Failure{"VN-FILE-062",
                   fmt::format("a report of {} bodies does not fit into {} MB", model.bodies().size(), largest / 1'000'000), ""};
  }

  std::vector<std::size_t> samples = spread(std::min(fitting, total), total);
  if (report.times.front() > report.times.back()) std::reverse(samples.begin(), samples.end());
  return safe_in_script(writer.document(samples));
}

Outcome<bool> write_report(const std::string& path, const Model& model, const Report& report) {
  if (!report_page_available()) return write_report_page(path, "");
  const auto document = report_document(model, report, kLargestReport - report_page_size());
  if (!document) return document.failure();
  return write_report_page(path, *document);
}

Outcome<bool> write_overlaid_report(const std::string& path, const Model& model, const Report& report, const Model& second_model,
                                    const Report& second) {
  if (!report_page_available()) return write_report_page(path, "");
  const std::size_t half = (kLargestReport - report_page_size()) / 2 - 100;
  auto document = report_document(model, report, half);
  if (!document) return document.failure();
  const auto beside = report_document(second_model, second, half);
  if (!beside) return beside.failure();
  document->pop_back();  // the brace that ends it
  return write_report_page(path, *document + ",\"beside\":" + *beside + "}");
}

}  // namespace vinculum
