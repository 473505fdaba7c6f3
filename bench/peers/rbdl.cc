// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <rbdl/rbdl.h>

#include "bench/peers/peer.h"

namespace vinculum::bench {

namespace {

namespace rbdl = RigidBodyDynamics;

rbdl::Math::Vector3d to_rbdl(const Vector3& a) { return {a.x, a.y, a.z}; }
rbdl::Math::VectorNd to_rbdl(const std::vector<double>& a) { return Eigen::Map<const Eigen::VectorXd>(a.data(), a.size()); }
std::span<const double> from_rbdl(const rbdl::Math::VectorNd& a) { return {a.data(), static_cast<size_t>(a.size())}; }

// RBDL, for joints of elementary motions and free joints; a joint of several motions is a chain of massless bodies. It writes a
// turn by the matrix that takes components from the base to the body, Rᵀ, and a spatial vector angular part first.
class RbdlPeer : public Peer {
 public:
  explicit RbdlPeer(const Model& model) : model_(model) {
    rbdl_.gravity = to_rbdl(model.gravity());
    for (size_t i = 0; i < model.bodies().size(); ++i) add_body(model.description().bodies[i], model.bodies()[i].parent);
    accelerations_.resize(rbdl_.qdot_size);
    forces_.resize(rbdl_.qdot_size);
    matrix_.resize(rbdl_.qdot_size, rbdl_.qdot_size);
  }

  void take(const std::vector<Sample>& samples) override;

  void kinematics(int k) override { rbdl::UpdateKinematicsCustom(rbdl_, &points_[at_ = k].q, &points_[k].v, nullptr); }
  void forward(int k) override {
    at_ = k;
    rbdl::ForwardDynamics(rbdl_, points_[k].q, points_[k].v, points_[k].forces, accelerations_);
  }
  void inverse(int k) override {
    at_ = k;
    rbdl::InverseDynamics(rbdl_, points_[k].q, points_[k].v, points_[k].accelerations, forces_);
  }
  void mass_matrix(int k) override {
    at_ = k;
    matrix_.setZero();
    rbdl::CompositeRigidBodyAlgorithm(rbdl_, points_[k].q, matrix_);
  }

  std::vector<double> accelerations() const override { return points_[at_].map.to_ours(from_rbdl(accelerations_)); }
  std::vector<double> forces() const override { return points_[at_].map.to_ours(from_rbdl(forces_)); }
  std::vector<double> matrix() const override {
    return points_[at_].map.matrix_to_ours({matrix_.data(), matrix_.data() + matrix_.size()});
  }

 private:
  struct Point {
    rbdl::Math::VectorNd q, v, forces, accelerations;
    VelocityMap map;
  };

  void add_body(const BodyDescription& words, int parent);

  const Model& model_;
  rbdl::Model rbdl_;
  std::vector<std::vector<unsigned>> ids_;  // of each body's joint, the body's own last
  std::vector<Point> points_;
  int at_ = 0;
  rbdl::Math::VectorNd accelerations_, forces_;
  rbdl::Math::MatrixNd matrix_;
};

void RbdlPeer::add_body(const BodyDescription& words, int parent) {
  const JointDescription& joint = words.joint;
  const Matrix3& R = joint.rotation;
  rbdl::Math::Matrix3d E, inertia;
  E << R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z;
  const Symmetric3& I = *words.inertia;
  inertia << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const rbdl::Body body(*words.mass, to_rbdl(*words.com), inertia);

  std::vector<rbdl::Joint> joints;
  const auto add_motion = [&](bool turns, const Vector3& axis) {
    const Vector3 turn = turns ? axis : Vector3{}, slide = turns ? Vector3{} : axis;
    joints.emplace_back(rbdl::Math::SpatialVector(turn.x, turn.y, turn.z, slide.x, slide.y, slide.z));
  };
  if (*joint.type == JointType::free) {
    joints.emplace_back(rbdl::JointTypeFloatingBase);
  } else if (*joint.type == JointType::revolute || *joint.type == JointType::prismatic) {
    add_motion(*joint.type == JointType::revolute, (1 / norm(*joint.axis)) * *joint.axis);
  }
  constexpr Vector3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (ElementaryMotion motion : elementary_motions(joint))
    add_motion(static_cast<int>(motion) >= 3, kAxes[static_cast<int>(motion) % 3]);

  unsigned base = parent == kWorld ? 0 : ids_[parent].back();
  rbdl::Math::SpatialTransform placement(E, to_rbdl(joint.origin));
  std::vector<unsigned>& own = ids_.emplace_back();
  for (size_t i = 0; i < joints.size(); ++i) {
    base = rbdl_.AddBody(base, placement, joints[i], i + 1 == joints.size() ? body : rbdl::Body());
    placement = {};
    own.push_back(base);
  }
}

// Velocities are ours in their order. A free joint is a translation, then a ball: the body with the quaternion follows the one
// with the place.
void RbdlPeer::take(const std::vector<Sample>& samples) {
  points_.clear();
  for (const Sample& sample : samples) {
    Point point;
    point.q = rbdl::Math::VectorNd::Zero(rbdl_.q_size);
    for (size_t i = 0; i < model_.bodies().size(); ++i) {
      const double* q = sample.state.q.data() + model_.bodies()[i].q;
      const unsigned last = ids_[i].back();
      if (*model_.description().bodies[i].joint.type == JointType::free) {
        const unsigned place = rbdl_.mJoints[last - 1].q_index, ball = rbdl_.mJoints[last].q_index;
        for (int k = 0; k < 3; ++k) {
          point.q[place + k] = q[k];
          point.map.keep(place + k);
        }
        rbdl_.SetQuaternion(last, rbdl::Math::Quaternion(q[4], q[5], q[6], q[3]), point.q);
        for (int k = 0; k < 3; ++k) point.map.keep(ball + k);
        continue;
      }
      for (unsigned id : ids_[i]) {
        point.q[rbdl_.mJoints[id].q_index] = *q++;
        point.map.keep(rbdl_.mJoints[id].q_index);
      }
    }
    point.v = to_rbdl(point.map.to_theirs(sample.state.v));
    point.forces = to_rbdl(point.map.to_theirs(sample.forces));
    point.accelerations = to_rbdl(point.map.to_theirs(sample.accelerations));
    points_.push_back(std::move(point));
  }
}

}  // namespace

std::unique_ptr<Peer> make_rbdl_peer(const Model& model, std::string& refusal) {
  // Its construction takes time O(n²): minutes for a hundred thousand bodies.
  if (model.bodies().size() > 10'000) refusal = "it would take too long to build";
  for (const BodyDescription& body : model.description().bodies) {
    const JointType type = *body.joint.type;
    if (type == JointType::fixed || type == JointType::screw || type == JointType::spherical)
      refusal = "this adapter does not know the joint";
  }
  if (!model.description().contacts.empty()) refusal = "this adapter knows no loops";
  return refusal.empty() ? std::make_unique<RbdlPeer>(model) : nullptr;
}

}  // namespace vinculum::bench
