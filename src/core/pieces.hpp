// Operations on long vectors, cut into pieces that fit the cache. The cuts depend on the length
// alone, and sums are added piece by piece, so the bits are the same for any number of threads.
#pragma once

#include <algorithm>
#include <vector>

#include "core/team.hpp"

namespace loopcert {

inline constexpr Index piece_size = 1 << 14;

struct Piece {
  Index first = 0;
  Index count = 0;

  auto operator()(Vector& x) const { return x.segment(first, count); }
  auto operator()(const Vector& x) const { return x.segment(first, count); }
};

template <class Job>
void for_pieces(Team& team, Index size, const Job& job) {
  if (size <= piece_size) return job(Piece{0, size});
  team.for_each((size + piece_size - 1) / piece_size, [&](Index i) {
    job(Piece{i * piece_size, std::min(piece_size, size - i * piece_size)});
  });
}

// The sum of job(piece) over the pieces.
template <class Job>
double sum_pieces(Team& team, Index size, const Job& job) {
  if (size <= piece_size) return job(Piece{0, size});
  std::vector<double> parts(static_cast<size_t>((size + piece_size - 1) / piece_size));
  for_pieces(team, size, [&](const Piece& piece) {
    parts[static_cast<size_t>(piece.first / piece_size)] = job(piece);
  });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

inline double dot(const Vector& x, const Vector& y, Team& team) {
  return sum_pieces(team, x.size(), [&](const Piece& piece) { return piece(x).dot(piece(y)); });
}

}  // namespace loopcert
