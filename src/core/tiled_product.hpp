// C = A B or C += A B, tile by tile, each over the part of the sum over k that it needs: what a
// sparsity pattern makes zero costs nothing, and a product by half a matrix costs half.
// Tiles and the order of every sum depend on the sizes alone, so the bits are the same for any
// number of threads.
#pragma once

#include <functional>

#include "core/team.hpp"
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

// What a product may leave out, asked for a few neighbouring rows or columns at a time. An empty
// function leaves out nothing.
struct TileRule {
  std::function<Range(const Range& rows)> by_rows;        // k at which these rows of A are not zero
  std::function<Range(const Range& columns)> by_columns;  // k at which these columns of B are not
  std::function<Index(const Range& columns)>
      first_row;  // before it nobody reads these columns of C
};

// Whether tiles of any height are read without a copy: then small products are fast too.
extern const bool masked_tiles;

// A: m x k, B: k x n, C: m x n, which must not share memory with the factors. What nobody reads of
// C is left as it is, or gets any finite value.
void tiled_product(Index k, const Factor& A, const Factor& B, Matrix& C, bool add,
                   const TileRule& rule, Team& team);

}  // namespace loopcert
