// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/sample.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/math/spatial.h"

namespace vinculum::bench {

// Another engine with the same mechanism, made from the same words: the truth of tests/oracles and the pace of bench. Outside,
// everything is in our conventions (contract, section 1). A matrix is n² numbers, column by column: an adapter may come from
// another compiler, with which types like Eigen's have other alignments and other ways to free memory.
class Peer {
 public:
  virtual ~Peer() = default;

  // Converts the samples to the engine's conventions once, so that the work on them is the engine's alone.
  virtual void take(const std::vector<Sample>& samples) = 0;

  // The engine's work on sample k, from its q and v; forward with the model's loops closed, if it has loops.
  virtual void kinematics(int k) = 0;
  virtual void forward(int k) = 0;
  virtual void inverse(int k) = 0;
  virtual void mass_matrix(int k) = 0;

  // Derivatives of the accelerations of forward dynamics by configuration, velocities and forces; false: the engine has none.
  virtual bool forward_derivatives(int) { return false; }

  // What the last of them found.
  virtual std::vector<double> accelerations() const = 0;
  virtual std::vector<double> forces() const = 0;

  // What only tests ask for: empty where an adapter does not tell.
  virtual std::vector<BodyMotion> body_motions() const { return {}; }
  virtual std::vector<double> matrix() const { return {}; }
  virtual std::vector<double> derivative_by_velocity() const { return {}; }  // ∂a/∂v at constant q and forces
  virtual std::vector<Wrench> reactions_W() const {
    return {};
  }  // parent on child through its joint, drive included, about the child's pole
};

// A ball that closes a loop between two bodies, in the axes of each.
struct BallLoop {
  int body = 0, other = kWorld;
  Vector3 p_body, p_other;
};
// The loops of a model, whose contacts are all balls; a refusal if they are something else.
inline std::vector<BallLoop> list_ball_loops(const Model& model, std::string& refusal) {
  const auto index_of = [&](const std::string& name) {
    for (size_t i = 0; i < model.bodies().size(); ++i) {
      if (model.bodies()[i].name == name) return static_cast<int>(i);
    }
    return kWorld;
  };
  std::vector<BallLoop> loops;
  for (const ContactDescription& contact : model.description().contacts) {
    const auto* frame = std::get_if<FrameGeometry>(&contact.geometry);
    const int other = index_of(*contact.with);
    if (frame == nullptr || contact.forbid.size() != 3 || (other == kWorld && *contact.with != "world")) {
      refusal = "this adapter knows no contacts but balls";
      return {};
    }
    loops.push_back({index_of(*contact.body), other, frame->body_point, frame->environment_point});
  }
  return loops;
}

// An engine's velocities and ours: each of ours has its place among theirs, and some triples are turned besides, theirs = R ours.
//
// The map T is orthogonal, so forces go the way of velocities, and a matrix A between any of them becomes Tᵀ A T. Accelerations
// go the same way, too: R is either constant, or the rotation of the joint applied to its angular velocity w in the child's axes,
// and (R w)' = R (w × w) + R w' = R w'.
class VelocityMap {
 public:
  void keep(int theirs) { place_.push_back(theirs); }  // of our next velocity
  void turn(int theirs, const Matrix3& R) {            // of our next three
    turns_.emplace_back(theirs, R);
    for (int i = 0; i < 3; ++i) keep(theirs + i);
  }

  std::vector<double> to_theirs(std::span<const double> ours) const {
    std::vector<double> theirs(ours.size());
    for (size_t i = 0; i < ours.size(); ++i) theirs[place_[i]] = ours[i];
    for (const auto& [first, R] : turns_) set(theirs, first, R * get(theirs, first));
    return theirs;
  }
  std::vector<double> to_ours(std::span<const double> given) const {
    std::vector<double> theirs(given.begin(), given.end()), ours(given.size());
    for (const auto& [first, R] : turns_) set(theirs, first, transpose_times(R, get(theirs, first)));
    for (size_t i = 0; i < ours.size(); ++i) ours[i] = theirs[place_[i]];
    return ours;
  }
  std::vector<double> matrix_to_ours(const std::vector<double>& theirs) const {
    return transposed_columns_to_ours(transposed_columns_to_ours(theirs));
  }

 private:
  static Vector3 get(const std::vector<double>& v, int i) { return {v[i], v[i + 1], v[i + 2]}; }
  static void set(std::vector<double>& v, int i, const Vector3& value) {
    for (int k = 0; k < 3; ++k) v[i + k] = value[k];
  }
  // (Tᵀ A)ᵀ: done twice, Tᵀ A T.
  std::vector<double> transposed_columns_to_ours(const std::vector<double>& theirs) const {
    const size_t n = place_.size();
    std::vector<double> result(n * n);
    for (size_t j = 0; j < n; ++j) {
      const std::vector<double> column = to_ours({&theirs[j * n], n});
      for (size_t i = 0; i < n; ++i) result[i * n + j] = column[i];
    }
    return result;
  }

  std::vector<int> place_;
  std::vector<std::pair<int, Matrix3>> turns_;
};

// Null if the engine cannot hold the mechanism; `refusal` says why. The model must outlive the peer.
using MakePeer = std::unique_ptr<Peer>(const Model& model, std::string& refusal);
MakePeer make_simbody_peer, make_mujoco_peer, make_pinocchio_peer, make_rbdl_peer;

}  // namespace vinculum::bench
