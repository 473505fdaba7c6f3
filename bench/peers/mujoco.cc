// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <Eigen/Eigenvalues>

#include "bench/peers/peer.h"

namespace vinculum::bench {

namespace {

// ---- the model as MJCF text ------------------------------------------------------------------------------------------

std::string text_of(const Vector3& a) { return fmt::format("{:.17g} {:.17g} {:.17g}", a.x, a.y, a.z); }
std::string text_of(const Quaternion& q) { return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w, q.x, q.y, q.z); }

// MuJoCo works with principal axes. Given here to the last digit: its own diagonalisation stops at 1e-12.
std::string inertial_text(const BodyDescription& body) {
  const Symmetric3& I = *body.inertia;
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  const Eigen::Vector3d moments = solver.eigenvalues(), x = solver.eigenvectors().col(0), y = solver.eigenvectors().col(1),
                        z = x.cross(y);
  const Quaternion axes = to_quaternion({{x[0], x[1], x[2]}, {y[0], y[1], y[2]}, {z[0], z[1], z[2]}});
  return fmt::format("<inertial pos='{}' quat='{}' mass='{:.17g}' diaginertia='{}'/>", text_of(*body.com), text_of(axes),
                     *body.mass, text_of(Vector3{moments[0], moments[1], moments[2]}));
}

// Joints of one body act one after another, each about the axes the ones before have turned: as `axes` do.
std::string joints_text(const JointDescription& joint) {
  const auto element = [](const char* type, const Vector3& axis) {
    return fmt::format("<joint type='{}' axis='{}'/>", type, text_of(axis));
  };
  switch (*joint.type) {
    case JointType::fixed: return "";
    case JointType::revolute: return element("hinge", *joint.axis);
    case JointType::prismatic: return element("slide", *joint.axis);
    case JointType::spherical: return "<joint type='ball'/>";
    case JointType::free: return "<freejoint/>";
    default: break;
  }
  constexpr Vector3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::string text;
  for (ElementaryMotion motion : elementary_motions(joint)) {
    const int index = static_cast<int>(motion);
    text += element(index < 3 ? "slide" : "hinge", kAxes[index % 3]);
  }
  return text;
}

std::string body_text(const Model& model, const std::vector<std::vector<int>>& children, int index) {
  const BodyDescription& body = model.description().bodies[index];
  std::string text = fmt::format("<body name='{}' pos='{}' quat='{}'>{}{}", body.name, text_of(body.joint.origin),
                                 text_of(to_quaternion(body.joint.rotation)), *body.mass > 0 ? inertial_text(body) : "",
                                 joints_text(body.joint));
  for (int child : children[index]) text += body_text(model, children, child);
  return text + "</body>\n";
}

std::string model_text(const Model& model) {
  std::vector<std::vector<int>> children(model.bodies().size());
  std::vector<int> roots;
  for (size_t i = 0; i < model.bodies().size(); ++i) {
    const int parent = model.bodies()[i].parent;
    (parent == kWorld ? roots : children[parent]).push_back(static_cast<int>(i));
  }
  std::string text = fmt::format(
      "<mujoco><compiler angle='radian' balanceinertia='false' boundmass='0' boundinertia='0' inertiafromgeom='false'/>"
      "<option gravity='{}'><flag constraint='disable' contact='disable' passive='disable' "
      "actuation='disable'/></option><worldbody>\n",
      text_of(model.gravity()));
  for (int root : roots) text += body_text(model, children, root);
  return text + "</worldbody></mujoco>";
}

// Why MuJoCo cannot hold the model; empty if it can.
std::string find_obstacle(const Model& model) {
  constexpr int kDeepest = 95;  // its reader of XML refuses elements nested more than 100 deep
  std::vector<int> depth;
  for (size_t i = 0; i < model.bodies().size(); ++i) {
    const int parent = model.bodies()[i].parent;
    depth.push_back(parent == kWorld ? 1 : depth[parent] + 1);
    if (depth.back() > kDeepest) return "bodies are nested too deep";
    const JointType type = *model.description().bodies[i].joint.type;
    if (type == JointType::screw) return "there is no screw joint";
    if (type == JointType::free && parent != kWorld) return "free joints stand on the world only";
  }
  return "";
}

mjModel* load_model(const Model& model, std::string& refusal) {
  const std::string text = model_text(model);
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  char message[1000] = "";
  mjModel* loaded = mj_loadXML("model.xml", files.get(), message, sizeof message);
  mj_deleteVFS(files.get());
  if (loaded == nullptr) refusal = message;
  return loaded;
}

// ---- the engine ------------------------------------------------------------------------------------------------------

class MujocoPeer : public Peer {
 public:
  MujocoPeer(const Model& model, mjModel* loaded)
      : model_(model), mujoco_(loaded), data_(mj_makeData(loaded)), inverse_forces_(loaded->nv) {
    for (const Body& body : model.bodies()) body_ids_.push_back(mj_name2id(loaded, mjOBJ_BODY, body.name.c_str()));
  }

  void take(const std::vector<Sample>& samples) override;

  void kinematics(int k) override {
    set_motion(k);
    mj_kinematics(mujoco_.get(), data_.get());
    mj_comPos(mujoco_.get(), data_.get());
    mj_comVel(mujoco_.get(), data_.get());
  }
  void forward(int k) override {
    set_motion(k);
    mju_copy(data_->qfrc_applied, points_[k].forces.data(), mujoco_->nv);
    mj_forward(mujoco_.get(), data_.get());
  }
  // The part of mj_inverse that a tree without passive forces needs.
  void inverse(int k) override {
    kinematics(k);
    mju_copy(data_->qacc, points_[k].accelerations.data(), mujoco_->nv);
    mj_rne(mujoco_.get(), data_.get(), 1, inverse_forces_.data());
  }
  void mass_matrix(int k) override {
    set_motion(k);
    mj_kinematics(mujoco_.get(), data_.get());
    mj_comPos(mujoco_.get(), data_.get());
    mj_crb(mujoco_.get(), data_.get());
  }

  std::vector<BodyMotion> body_motions() const override;
  std::vector<double> accelerations() const override {
    return points_[at_].map.to_ours({data_->qacc, static_cast<size_t>(mujoco_->nv)});
  }
  std::vector<double> forces() const override { return points_[at_].map.to_ours(inverse_forces_); }
  std::vector<double> matrix() const override {
    std::vector<double> theirs(mujoco_->nv * mujoco_->nv);  // symmetric: rows or columns are the same
    mj_fullM(mujoco_.get(), theirs.data(), data_->qM);
    return points_[at_].map.matrix_to_ours(theirs);
  }

 private:
  struct DeleteModel {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
  };
  struct DeleteData {
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  struct Point {
    std::vector<double> q, v, forces, accelerations;
    VelocityMap map;
  };

  void set_motion(int k) {
    at_ = k;
    mju_copy(data_->qpos, points_[k].q.data(), mujoco_->nq);
    mju_copy(data_->qvel, points_[k].v.data(), mujoco_->nv);
  }

  const Model& model_;
  std::unique_ptr<mjModel, DeleteModel> mujoco_;
  std::unique_ptr<mjData, DeleteData> data_;
  std::vector<int> body_ids_;
  std::vector<Point> points_;
  int at_ = 0;
  std::vector<double> inverse_forces_;
};

// Coordinates and velocities are as ours, body by body in another order. Only a free joint is told in world axes: with its
// placement o, C,
//   p_W = o + C p   Q_W = C Q   v_W = C v   w as ours, in body axes
void MujocoPeer::take(const std::vector<Sample>& samples) {
  points_.clear();
  for (const Sample& sample : samples) {
    Point point;
    point.q.resize(mujoco_->nq);
    for (size_t i = 0; i < model_.bodies().size(); ++i) {
      const Body& body = model_.bodies()[i];
      if (body.v_count == 0) continue;
      const int joint = mujoco_->body_jntadr[body_ids_[i]];
      double* theirs = &point.q[mujoco_->jnt_qposadr[joint]];
      int v = mujoco_->jnt_dofadr[joint], kept = body.v_count;
      const double* q = &sample.state.q[body.q];
      const JointDescription& words = model_.description().bodies[i].joint;
      if (*words.type == JointType::free) {
        const Vector3 p = words.origin + words.rotation * Vector3{q[0], q[1], q[2]};
        const Quaternion Q = to_quaternion(words.rotation) * Quaternion{q[3], q[4], q[5], q[6]};
        const double values[] = {p.x, p.y, p.z, Q.w, Q.x, Q.y, Q.z};
        std::copy(std::begin(values), std::end(values), theirs);
        point.map.turn(v, words.rotation);
        v += 3;
        kept -= 3;
      } else {
        std::copy(q, q + body.q_count, theirs);
      }
      for (int j = 0; j < kept; ++j) point.map.keep(v + j);
    }
    point.v = point.map.to_theirs(sample.state.v);
    point.forces = point.map.to_theirs(sample.forces);
    point.accelerations = point.map.to_theirs(sample.accelerations);
    points_.push_back(std::move(point));
  }
}

std::vector<BodyMotion> MujocoPeer::body_motions() const {
  std::vector<BodyMotion> motions;
  for (int id : body_ids_) {
    const double *R = data_->xmat + 9 * id, *p = data_->xpos + 3 * id;  // R by rows
    double V[6];                                                        // angular first
    mj_objectVelocity(mujoco_.get(), data_.get(), mjOBJ_XBODY, id, V, 0);
    motions.push_back({{{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}},
                       {p[0], p[1], p[2]},
                       {{V[3], V[4], V[5]}, {V[0], V[1], V[2]}}});
  }
  return motions;
}

}  // namespace

std::unique_ptr<Peer> make_mujoco_peer(const Model& model, std::string& refusal) {
  refusal = find_obstacle(model);
  if (!model.description().contacts.empty()) refusal = "its loops are soft";
  if (!refusal.empty()) return nullptr;
  mjModel* loaded = load_model(model, refusal);
  if (loaded == nullptr) return nullptr;
  return std::make_unique<MujocoPeer>(model, loaded);
}

}  // namespace vinculum::bench
