// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/guide.h"

#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

GuideFace compile_face(const FaceDescription& words) {
  GuideFace face;
  face.point_B = words.point;
  face.normal_A = (1 / norm(*words.normal)) * *words.normal;
  face.friction = words.friction;
  if (words.pad) face.pad = *words.pad;
  return face;
}

}  // namespace

FacePair compile_pair(const GuideDescription& guide, int guide_index, int pair_index, int body, const Anchor& with) {
  FacePair pair;
  pair.name = fmt::format("{}.{}", guide.name, pair_index + 1);
  pair.guide = guide_index;
  pair.body = body;
  pair.with = with;
  pair.faces = {compile_face(guide.pairs[pair_index].face1), compile_face(guide.pairs[pair_index].face2)};
  // In the face, and at right angles to none of the directions people slide things along.
  const Vector3 mostly_x{1, 0.1414213562, 0.0173205081}, &normal = pair.faces[1].normal_A;
  const Vector3 in_face = mostly_x - dot(mostly_x, normal) * normal;
  pair.forward_A = (1 / norm(in_face)) * in_face;
  const Vector3 axis = std::abs(normal.x) < 0.9 ? Vector3{1, 0, 0} : Vector3{0, 0, 1}, along = axis - dot(axis, normal) * normal;
  pair.in_face_A[0] = (1 / norm(along)) * along;
  pair.in_face_A[1] = cross(normal, pair.in_face_A[0]);
  return pair;
}

}  // namespace vinculum
