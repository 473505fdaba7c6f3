// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <concepts>

// Simbody's headers are older than C++20, whose reversed operators leave `index == index` undecided. An exact match decides it.
namespace SimTK {
template <class Index>
requires requires(const Index& index) {
  { index.isValidExtended() } -> std::same_as<bool>;
}
bool operator==(const Index& a, const Index& b) { return static_cast<int>(a) == static_cast<int>(b); }
}  // namespace SimTK

// Of the headers this one is not needed, and clang cannot read it as C++20.
#define SimTK_SIMMATH_MULTIBODY_GRAPH_MAKER_H_
#include <Simbody.h>

#include "bench/peers/peer.h"

namespace vinculum::bench {

namespace {

using SimTK::MobilizedBody;
using SimTK::Vec3;

Vec3 to_simbody(const Vector3& a) { return {a.x, a.y, a.z}; }
Vector3 from_simbody(const Vec3& a) { return {a[0], a[1], a[2]}; }
SimTK::Vector to_simbody(const std::vector<double>& a) { return SimTK::Vector(static_cast<int>(a.size()), a.data()); }
std::span<const double> from_simbody(const SimTK::Vector& a) {
  return {a.getContiguousScalarData(), static_cast<size_t>(a.size())};
}

SimTK::Rotation to_simbody(const Matrix3& R) {
  return SimTK::Rotation(SimTK::Mat33(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)), true);
}

// Simbody takes the tensor of inertia about the body's origin.
SimTK::Body rigid_body(const BodyDescription& words) {
  if (*words.mass == 0) return SimTK::Body::Massless();
  const Symmetric3& I = *words.inertia;
  const Vec3 com = to_simbody(*words.com);
  const SimTK::Inertia about_center(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz);
  return SimTK::Body::Rigid(SimTK::MassProperties(*words.mass, com, about_center.shiftFromMassCenter(com, *words.mass)));
}

// Simbody 3.7. It knows every joint of ours; `axes` are pins and sliders with massless bodies between.
class SimbodyPeer : public Peer {
 public:
  SimbodyPeer(const Model& model, const std::vector<BallLoop>& loops);

  void take(const std::vector<Sample>& samples) override;
  void kinematics(int k) override;
  void forward(int k) override;
  void inverse(int k) override;
  void mass_matrix(int k) override;

  std::vector<BodyMotion> body_motions() const override;
  std::vector<double> accelerations() const override;
  std::vector<double> forces() const override;
  std::vector<double> matrix() const override;
  std::vector<Wrench> reactions_W() const override;

 private:
  struct Point {
    SimTK::Vector q, u, forces, accelerations;
    VelocityMap map;
  };

  void add_body(const BodyDescription& body, int parent);
  void set_motion(int k);

  const Model& model_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem force_elements_{system_};
  SimTK::Force::Gravity gravity_;
  SimTK::Force::DiscreteForces drives_{force_elements_, matter_};
  SimTK::State state_;
  std::vector<std::vector<SimTK::MobilizedBodyIndex>> mobilizers_;  // of each body's joint, the body's own last
  std::vector<Point> points_;
  int at_ = 0;  // the sample in state_
  SimTK::Vector residual_;
  SimTK::Matrix matrix_;
};

SimbodyPeer::SimbodyPeer(const Model& model, const std::vector<BallLoop>& loops)
    : model_(model), gravity_(force_elements_, matter_, to_simbody(model.gravity())) {
  for (size_t i = 0; i < model.bodies().size(); ++i) add_body(model.description().bodies[i], model.bodies()[i].parent);
  for (const BallLoop& loop : loops) {
    MobilizedBody& other = loop.other == kWorld ? matter_.updGround() : matter_.updMobilizedBody(mobilizers_[loop.other].back());
    SimTK::Constraint::Ball(matter_.updMobilizedBody(mobilizers_[loop.body].back()), to_simbody(loop.p_body), other,
                            to_simbody(loop.p_other));
  }
  state_ = system_.realizeTopology();
  system_.realizeModel(state_);
}

void SimbodyPeer::add_body(const BodyDescription& words, int parent) {
  const JointDescription& joint = words.joint;
  const SimTK::Transform placement(to_simbody(joint.rotation), to_simbody(joint.origin));
  const SimTK::Body body = rigid_body(words);
  MobilizedBody& base = parent == kWorld ? matter_.updGround() : matter_.updMobilizedBody(mobilizers_[parent].back());
  std::vector<SimTK::MobilizedBodyIndex>& own = mobilizers_.emplace_back();

  // A pin and a screw turn about z of their frames, a slider goes along x: both frames are turned alike until this is the joint's
  // axis.
  const auto about_z = [](const Vec3& axis) { return SimTK::Transform(SimTK::Rotation(SimTK::UnitVec3(axis), SimTK::ZAxis)); };
  const auto along_x = [](const Vec3& axis) { return SimTK::Transform(SimTK::Rotation(SimTK::UnitVec3(axis), SimTK::XAxis)); };
  const Vec3 axis = to_simbody(*joint.axis);
  const SimTK::Transform same;
  switch (*joint.type) {
    case JointType::fixed: own.push_back(MobilizedBody::Weld(base, placement, body, same)); break;
    case JointType::revolute: own.push_back(MobilizedBody::Pin(base, placement * about_z(axis), body, about_z(axis))); break;
    case JointType::prismatic: own.push_back(MobilizedBody::Slider(base, placement * along_x(axis), body, along_x(axis))); break;
    case JointType::screw:
      own.push_back(MobilizedBody::Screw(base, placement * about_z(axis), body, about_z(axis), *joint.pitch));
      break;
    case JointType::cylindrical: own.push_back(MobilizedBody::Cylinder(base, placement, body, same)); break;
    case JointType::universal: own.push_back(MobilizedBody::Universal(base, placement, body, same)); break;
    case JointType::planar: own.push_back(MobilizedBody::Planar(base, placement, body, same)); break;
    case JointType::spherical: own.push_back(MobilizedBody::Ball(base, placement, body, same)); break;
    case JointType::free: own.push_back(MobilizedBody::Free(base, placement, body, same)); break;
    case JointType::axes: {
      const SimTK::CoordinateAxis kAxes[] = {SimTK::XAxis, SimTK::YAxis, SimTK::ZAxis};
      for (size_t i = 0; i < joint.axes.size(); ++i) {
        const int motion = static_cast<int>(joint.axes[i]);
        const Vec3 unit = SimTK::UnitVec3(kAxes[motion % 3]).asVec3();
        MobilizedBody& inner = i == 0 ? base : matter_.updMobilizedBody(own.back());
        const SimTK::Transform at = i == 0 ? placement : same;
        const SimTK::Body outer = i + 1 == joint.axes.size() ? body : SimTK::Body(SimTK::Body::Massless());
        if (motion < 3) {
          own.push_back(MobilizedBody::Slider(inner, at * along_x(unit), outer, along_x(unit)));
        } else {
          own.push_back(MobilizedBody::Pin(inner, at * about_z(unit), outer, about_z(unit)));
        }
      }
      break;
    }
  }
}

void SimbodyPeer::take(const std::vector<Sample>& samples) {
  points_.clear();
  for (const Sample& sample : samples) {
    Point point;
    point.q.resize(state_.getNQ());
    for (size_t i = 0; i < model_.bodies().size(); ++i) {
      const Body& body = model_.bodies()[i];
      const double* q = sample.state.q.data() + body.q;
      const MobilizedBody& first = matter_.getMobilizedBody(mobilizers_[i].front());
      const int q0 = first.getFirstQIndex(state_), u0 = first.getFirstUIndex(state_);
      const auto place = [&](std::initializer_list<int> order) {  // of our coordinates among those of the mobilizer
        for (int theirs : order) point.q[q0 + theirs] = *q++;
      };
      const auto keep = [&](std::initializer_list<int> order) {
        for (int theirs : order) point.map.keep(u0 + theirs);
      };
      switch (*model_.description().bodies[i].joint.type) {
        case JointType::fixed: break;
        case JointType::revolute:
        case JointType::prismatic:
        case JointType::screw:
          place({0});
          keep({0});
          break;
        case JointType::cylindrical:  // theirs: rz, tz
          place({1, 0});
          keep({1, 0});
          break;
        case JointType::universal:
          place({0, 1});
          keep({0, 1});
          break;
        case JointType::planar:  // theirs: rz, tx, ty
          place({1, 2, 0});
          keep({1, 2, 0});
          break;
        case JointType::free:  // theirs: quaternion, then place; angular velocity in the axes of the base, w_F = R w_B, then
                               // linear
          place({4, 5, 6});
          keep({3, 4, 5});
          [[fallthrough]];
        case JointType::spherical:
          point.map.turn(u0, to_rotation(Quaternion{q[0], q[1], q[2], q[3]}));
          place({0, 1, 2, 3});
          break;
        case JointType::axes:
          for (SimTK::MobilizedBodyIndex index : mobilizers_[i]) {
            point.q[matter_.getMobilizedBody(index).getFirstQIndex(state_)] = *q++;
            point.map.keep(matter_.getMobilizedBody(index).getFirstUIndex(state_));
          }
          break;
      }
    }
    point.u = to_simbody(point.map.to_theirs(sample.state.v));
    point.forces = to_simbody(point.map.to_theirs(sample.forces));
    point.accelerations = to_simbody(point.map.to_theirs(sample.accelerations));
    points_.push_back(std::move(point));
  }
}

void SimbodyPeer::set_motion(int k) {
  at_ = k;
  state_.updQ() = points_[k].q;
  state_.updU() = points_[k].u;
}

void SimbodyPeer::kinematics(int k) {
  set_motion(k);
  system_.realize(state_, SimTK::Stage::Velocity);
}

void SimbodyPeer::forward(int k) {
  set_motion(k);
  drives_.setAllMobilityForces(state_, points_[k].forces);
  system_.realize(state_, SimTK::Stage::Acceleration);
}

void SimbodyPeer::inverse(int k) {
  kinematics(k);
  matter_.calcResidualForceIgnoringConstraints(state_, SimTK::Vector(), gravity_.getBodyForces(state_), points_[k].accelerations,
                                               residual_);
}

void SimbodyPeer::mass_matrix(int k) {
  set_motion(k);
  system_.realize(state_, SimTK::Stage::Position);
  matter_.calcM(state_, matrix_);
}

std::vector<BodyMotion> SimbodyPeer::body_motions() const {
  std::vector<BodyMotion> motions;
  for (const auto& own : mobilizers_) {
    const MobilizedBody& body = matter_.getMobilizedBody(own.back());
    const SimTK::Transform& X = body.getBodyTransform(state_);
    const SimTK::SpatialVec& V = body.getBodyVelocity(state_);  // angular first
    motions.push_back({{from_simbody(Vec3(X.x())), from_simbody(Vec3(X.y())), from_simbody(Vec3(X.z()))},
                       from_simbody(X.p()),
                       {from_simbody(V[1]), from_simbody(V[0])}});
  }
  return motions;
}

std::vector<double> SimbodyPeer::accelerations() const { return points_[at_].map.to_ours(from_simbody(state_.getUDot())); }

std::vector<double> SimbodyPeer::forces() const { return points_[at_].map.to_ours(from_simbody(residual_)); }

std::vector<double> SimbodyPeer::matrix() const {
  std::vector<double> theirs;
  for (int j = 0; j < matrix_.ncol(); ++j) {
    for (int i = 0; i < matrix_.nrow(); ++i) theirs.push_back(matrix_(i, j));
  }
  return points_[at_].map.matrix_to_ours(theirs);
}

// Simbody's are about the origin of the mobilizer's outer frame, which stands at our pole; moment first, applied forces included.
std::vector<Wrench> SimbodyPeer::reactions_W() const {
  SimTK::Vector_<SimTK::SpatialVec> theirs;
  matter_.calcMobilizerReactionForces(state_, theirs);
  std::vector<Wrench> reactions;
  for (const auto& own : mobilizers_)
    reactions.push_back({from_simbody(theirs[own.back()][1]), from_simbody(theirs[own.back()][0])});
  return reactions;
}

}  // namespace

std::unique_ptr<Peer> make_simbody_peer(const Model& model, std::string& refusal) {
  const std::vector<BallLoop> loops = list_ball_loops(model, refusal);
  return refusal.empty() ? std::make_unique<SimbodyPeer>(model, loops) : nullptr;
}

}  // namespace vinculum::bench
