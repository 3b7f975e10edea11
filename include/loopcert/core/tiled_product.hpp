// C = A B or C += A B, tile by tile, where every tile says which part of the sum over k it needs:
// what a sparsity pattern makes zero costs nothing, and a product by half a matrix costs half.
// Tiles and the order of every sum depend on the sizes alone, so the bits are the same for any
// number of threads.
#pragma once

#include <functional>

#include "loopcert/core/team.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

// A matrix to read: entry (i, j) is data[i * row_step + j * column_step].
struct Factor {
  const double* data = nullptr;
  Index row_step = 1;
  Index column_step = 1;
};

struct Range {
  Index begin = 0;
  Index end = 0;
};

inline constexpr Range unread{1, 0};

// The rows and columns [begin, end) of a tile of C.
struct Tile {
  Range rows;
  Range columns;
};

// Which k some entry of the tile needs. Empty: the tile is zero. `unread`: it is not even written.
using TileRule = std::function<Range(const Tile&)>;

// Whether tiles of any height are read without a copy: then small products are fast too.
extern const bool masked_tiles;

// A: m x k, B: k x n, C: m x n, which must not share memory with the factors. An empty rule means
// all of 0 … k - 1.
void tiled_product(Index k, const Factor& A, const Factor& B, Matrix& C, bool add,
                   const TileRule& rule, Team& team);

}  // namespace loopcert
