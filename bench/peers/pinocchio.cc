// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/contact-info.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#include <pinocchio/spatial/skew.hpp>

#include "bench/peers/peer.h"

namespace vinculum::bench {

namespace {

Eigen::Vector3d to_eigen(const Vector3& a) { return {a.x, a.y, a.z}; }
Eigen::VectorXd to_eigen(const std::vector<double>& a) { return Eigen::Map<const Eigen::VectorXd>(a.data(), a.size()); }
std::vector<double> from_eigen(const Eigen::MatrixXd& a) { return {a.data(), a.data() + a.size()}; }

pinocchio::JointModel axis_joint(bool turns, const Vector3& axis) {
  if (axis == Vector3{1, 0, 0})
    return turns ? pinocchio::JointModel(pinocchio::JointModelRX()) : pinocchio::JointModel(pinocchio::JointModelPX());
  if (axis == Vector3{0, 1, 0})
    return turns ? pinocchio::JointModel(pinocchio::JointModelRY()) : pinocchio::JointModel(pinocchio::JointModelPY());
  if (axis == Vector3{0, 0, 1})
    return turns ? pinocchio::JointModel(pinocchio::JointModelRZ()) : pinocchio::JointModel(pinocchio::JointModelPZ());
  if (turns) return pinocchio::JointModelRevoluteUnaligned(to_eigen(axis).normalized());
  return pinocchio::JointModelPrismaticUnaligned(to_eigen(axis).normalized());
}

// Pinocchio, for joints of elementary motions and free joints; a joint of several motions is a chain of massless bodies.
class PinocchioPeer : public Peer {
 public:
  PinocchioPeer(const Model& model, const std::vector<BallLoop>& loops) : model_(model), ids_(model.bodies().size()) {
    pinocchio_.gravity.linear() = to_eigen(model.gravity());
    add_bodies_on(kWorld);
    data_ = std::make_unique<pinocchio::Data>(pinocchio_);
    for (const BallLoop& loop : loops) add_loop(loop);
    if (!loops.empty()) pinocchio::initConstraintDynamics(pinocchio_, *data_, loops_);
  }

  void take(const std::vector<Sample>& samples) override;

  void kinematics(int k) override { pinocchio::forwardKinematics(pinocchio_, *data_, points_[at_ = k].q, points_[k].v); }
  void forward(int k) override {
    at_ = k;
    if (loops_.empty()) {
      pinocchio::aba(pinocchio_, *data_, points_[k].q, points_[k].v, points_[k].forces, pinocchio::Convention::LOCAL);
    } else {
      pinocchio::constraintDynamics(pinocchio_, *data_, points_[k].q, points_[k].v, points_[k].forces, loops_, loop_data_,
                                    exact_);
    }
  }
  void inverse(int k) override {
    at_ = k;
    pinocchio::rnea(pinocchio_, *data_, points_[k].q, points_[k].v, points_[k].accelerations);
  }
  void mass_matrix(int k) override {
    at_ = k;
    pinocchio::crba(pinocchio_, *data_, points_[k].q, pinocchio::Convention::LOCAL);
  }
  bool forward_derivatives(int k) override {
    at_ = k;
    pinocchio::computeABADerivatives(pinocchio_, *data_, points_[k].q, points_[k].v, points_[k].forces);
    return true;
  }

  std::vector<double> accelerations() const override {
    return points_[at_].map.to_ours(from_eigen(data_->ddq + points_[at_].turning));
  }
  std::vector<double> forces() const override { return points_[at_].map.to_ours(from_eigen(data_->tau)); }
  std::vector<double> matrix() const override {
    return points_[at_].map.matrix_to_ours(from_eigen(data_->M.selfadjointView<Eigen::Upper>()));
  }
  std::vector<double> derivative_by_velocity() const override;

 private:
  struct Point {
    Eigen::VectorXd q, v, forces, accelerations;
    Eigen::VectorXd turning;  // w × v_B of free joints, else zero
    VelocityMap map;
  };

  void add_bodies_on(int parent);
  void add_body(int index);
  void add_loop(const BallLoop& loop) {
    const auto joint = [&](int body) { return body == kWorld ? pinocchio::JointIndex(0) : ids_[body].back(); };
    const pinocchio::SE3 on(Eigen::Matrix3d::Identity(), to_eigen(loop.p_body));
    const pinocchio::SE3 against(Eigen::Matrix3d::Identity(), to_eigen(loop.p_other));
    loops_.emplace_back(pinocchio::CONTACT_3D, pinocchio_, joint(loop.body), on, joint(loop.other), against, pinocchio::LOCAL);
    loop_data_.emplace_back(loops_.back());
  }

  const Model& model_;
  pinocchio::Model pinocchio_;
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pinocchio::RigidConstraintModel) loops_;
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pinocchio::RigidConstraintData) loop_data_;
  pinocchio::ProximalSettings exact_{1e-12, 0, 1};  // no regularisation, one solve
  std::unique_ptr<pinocchio::Data> data_;
  std::vector<std::vector<pinocchio::JointIndex>> ids_;  // of each body's joint, the body's own last
  std::vector<Point> points_;
  int at_ = 0;
};

// Depth first: Pinocchio takes the velocities of a subtree for neighbours in its matrices, and does not check.
void PinocchioPeer::add_bodies_on(int parent) {
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (model_.bodies()[i].parent != parent) continue;
    add_body(i);
    add_bodies_on(i);
  }
}

void PinocchioPeer::add_body(int index) {
  const BodyDescription& words = model_.description().bodies[index];
  const JointDescription& joint = words.joint;
  std::vector<pinocchio::JointModel> joints;
  if (*joint.type == JointType::free) joints.push_back(pinocchio::JointModelFreeFlyer());
  if (*joint.type == JointType::revolute) joints.push_back(axis_joint(true, *joint.axis));
  if (*joint.type == JointType::prismatic) joints.push_back(axis_joint(false, *joint.axis));
  constexpr Vector3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (ElementaryMotion motion : elementary_motions(joint)) {
    joints.push_back(axis_joint(static_cast<int>(motion) >= 3, kAxes[static_cast<int>(motion) % 3]));
  }

  Eigen::Matrix3d R, inertia;
  R << to_eigen(joint.rotation.x), to_eigen(joint.rotation.y), to_eigen(joint.rotation.z);
  const Symmetric3& I = *words.inertia;
  inertia << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const int parent = model_.bodies()[index].parent;
  pinocchio::JointIndex base = parent == kWorld ? 0 : ids_[parent].back();
  pinocchio::SE3 placement(R, to_eigen(joint.origin));
  std::vector<pinocchio::JointIndex>& own = ids_[index];
  for (const pinocchio::JointModel& motion : joints) {
    base = pinocchio_.addJoint(base, motion, placement, words.name + "/" + std::to_string(own.size()));
    placement.setIdentity();
    own.push_back(base);
  }
  pinocchio_.appendBodyToJoint(base, pinocchio::Inertia(*words.mass, to_eigen(*words.com), inertia), pinocchio::SE3::Identity());
}

// The linear velocity of a free joint is in body axes, v_B = Rᵀ v, and so v_B' = Rᵀ v' - w × v_B; quaternions are x y z w.
void PinocchioPeer::take(const std::vector<Sample>& samples) {
  points_.clear();
  for (const Sample& sample : samples) {
    Point point;
    point.q.resize(pinocchio_.nq);
    point.turning = Eigen::VectorXd::Zero(pinocchio_.nv);
    for (size_t i = 0; i < model_.bodies().size(); ++i) {
      const double* q = &sample.state.q[model_.bodies()[i].q];
      if (*model_.description().bodies[i].joint.type == JointType::free) {
        const auto& joint = pinocchio_.joints[ids_[i].back()];
        point.q.segment<7>(joint.idx_q()) << q[0], q[1], q[2], q[4], q[5], q[6], q[3];
        const Matrix3 R = to_rotation(Quaternion{q[3], q[4], q[5], q[6]});
        const double* v = &sample.state.v[model_.bodies()[i].v];
        const Vector3 v_B = transpose_times(R, Vector3{v[0], v[1], v[2]});
        point.turning.segment<3>(joint.idx_v()) = to_eigen(cross(Vector3{v[3], v[4], v[5]}, v_B));
        point.map.turn(joint.idx_v(), transpose(R));
        for (int k = 3; k < 6; ++k) point.map.keep(joint.idx_v() + k);
        continue;
      }
      for (pinocchio::JointIndex id : ids_[i]) {
        point.q[pinocchio_.joints[id].idx_q()] = *q++;
        point.map.keep(pinocchio_.joints[id].idx_v());
      }
    }
    point.v = to_eigen(point.map.to_theirs(sample.state.v));
    point.forces = to_eigen(point.map.to_theirs(sample.forces));
    point.accelerations = to_eigen(point.map.to_theirs(sample.accelerations)) - point.turning;
    points_.push_back(std::move(point));
  }
}

// The turning of a free joint, w × v_B, depends on its velocities too.
std::vector<double> PinocchioPeer::derivative_by_velocity() const {
  const Point& point = points_[at_];
  Eigen::MatrixXd theirs = data_->ddq_dv;
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (*model_.description().bodies[i].joint.type != JointType::free) continue;
    const int first = pinocchio_.joints[ids_[i].back()].idx_v();
    theirs.block<3, 3>(first, first) += pinocchio::skew(point.v.segment<3>(first + 3));
    theirs.block<3, 3>(first, first + 3) -= pinocchio::skew(point.v.segment<3>(first));
  }
  return point.map.matrix_to_ours(from_eigen(theirs));
}

}  // namespace

std::unique_ptr<Peer> make_pinocchio_peer(const Model& model, std::string& refusal) {
  // Its workspace holds tensors of nv³ numbers.
  if (model.velocity_names().size() > 500) refusal = "it would take too much memory";
  for (const BodyDescription& body : model.description().bodies) {
    const JointType type = *body.joint.type;
    if (type == JointType::fixed || type == JointType::screw || type == JointType::spherical)
      refusal = "this adapter does not know the joint";
  }
  const std::vector<BallLoop> loops = list_ball_loops(model, refusal);
  return refusal.empty() ? std::make_unique<PinocchioPeer>(model, loops) : nullptr;
}

}  // namespace vinculum::bench
