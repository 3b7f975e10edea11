#include "core/tiled_product.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace loopcert {
namespace {

// A tile is (vectors x lanes) rows by `columns` columns, held in registers: 24 x 8 fills 24 of 32
// registers, 12 x 4 and 6 x 4 twelve of 16.
#if defined(__AVX512F__)
constexpr int lanes = 8, vectors = 3, columns = 8;
#elif defined(__AVX__)
constexpr int lanes = 4, vectors = 3, columns = 4;
#else
constexpr int lanes = 2, vectors = 3, columns = 4;
#endif
constexpr int rows = lanes * vectors;
using Lanes = double __attribute__((vector_size(lanes * sizeof(double))));

constexpr Index depth = 256;            // of a block: 16 KiB of B per tile stay in the L1 cache
constexpr Index copy_step = depth + 8;  // columns of a copy do not fall on each other in the cache
constexpr double least_shared = 1e6;    // below, waking threads costs more than they bring
constexpr Index widest_copy = 8 * columns;
constexpr Index block = 8 * rows;       // rows of A that stay in the L2 cache
constexpr Index fits_the_cache = 2048;  // doubles: A is then read as it is
constexpr Index on_the_stack = 8192;    // doubles
constexpr Index worth_a_call = 24;      // steps of one vector that a further call must save

Lanes load(const double* from) {
  Lanes x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

void store(const Lanes& x, double* to) { std::memcpy(to, &x, sizeof x); }

// The first `count` numbers of a vector, 1 <= count <= lanes.
#if defined(__AVX512F__)
constexpr bool loads_some = true;
__mmask8 mask_of(Index count) { return static_cast<__mmask8>((1u << count) - 1); }
Lanes load_some(const double* from, Index count) {
  return _mm512_maskz_loadu_pd(mask_of(count), from);
}
void store_some(const Lanes& x, double* to, Index count) {
  _mm512_mask_storeu_pd(to, mask_of(count), x);
}
#else
constexpr bool loads_some = false;
Lanes load_some(const double* from, Index count) {
  Lanes x = {};
  std::memcpy(&x, from, static_cast<size_t>(count) * sizeof(double));
  return x;
}
void store_some(const Lanes& x, double* to, Index count) {
  std::memcpy(to, &x, static_cast<size_t>(count) * sizeof(double));
}
#endif

// One tile: its place in C and the parts of A and B that it is the product of.
struct TileTask {
  Index k;          // steps of the sum
  const double* a;  // V * lanes numbers per step, of which `last` count in the last vector
  Index a_step;     // from step to step
  Index last;
  const double* b;  // one number per step and column
  Index b_step;     // from column to column
  double* c;
  Index c_step;  // from column to column
  Index width;   // columns, at most `columns`
  bool add;
};

// With `padded`, the numbers of A beyond the last are zeros; otherwise they are not read.
template <int V, bool padded>
void tile_product(const TileTask& task) {
  Lanes sum[columns][V] = {};
  const double* column[columns];  // columns beyond the last repeat it, and are not stored
  for (int j = 0; j < columns; ++j)
    column[j] = task.b + std::min<Index>(j, task.width - 1) * task.b_step;
  const double* a = task.a;
  for (Index l = 0; l < task.k; ++l, a += task.a_step) {
    Lanes x[V];
    for (int v = 0; v < V; ++v)
      x[v] = padded || v + 1 < V ? load(a + v * lanes) : load_some(a + v * lanes, task.last);
    for (int j = 0; j < columns; ++j)
      for (int v = 0; v < V; ++v) sum[j][v] += x[v] * column[j][l];
  }
  for (int j = 0; j < columns; ++j) {  // a fixed count keeps the sums in registers
    if (j >= task.width) break;
    double* c = task.c + j * task.c_step;
    for (int v = 0; v + 1 < V; ++v) {
      double* to = c + v * lanes;
      store(task.add ? load(to) + sum[j][v] : sum[j][v], to);
    }
    double* to = c + (V - 1) * lanes;
    const Lanes& x = sum[j][V - 1];
    store_some(task.add ? load_some(to, task.last) + x : x, to, task.last);
  }
}

template <bool padded>
void any_tile_product(Index height, const TileTask& task) {
  static_assert(vectors <= 3);
  if (height == vectors) return tile_product<vectors, padded>(task);
  if (height == 1) return tile_product<1, padded>(task);
  return tile_product<2, padded>(task);
}

// Columns of C that one job computes. The bits do not depend on it: a tile's sums are its own.
Index strip_width(Index n, int threads, bool copies) {
  const Index jobs = threads == 1 ? 1 : 8 * threads;  // so that threads end together
  const Index tiles = std::max<Index>((n + jobs * columns - 1) / (jobs * columns), 2);
  return std::min(tiles, copies ? widest_copy / columns : tiles) * columns;
}

Index height_of(Index count) { return (count + lanes - 1) / lanes; }  // in vectors

// Rows [first, first + count) of A, step by step of k, with zeros up to whole vectors.
void pack_rows(const Factor& A, Index first, Index count, Index k, double* to) {
  const Index height = height_of(count);
  const Index padded = height * lanes, last = count - (height - 1) * lanes;
  const double* from = A.data + first * A.row_step;
  if (A.row_step == 1) {
    for (Index l = 0; l < k; ++l, to += padded, from += A.column_step) {
      for (Index v = 0; v + 1 < height; ++v) store(load(from + v * lanes), to + v * lanes);
      const Index place = padded - lanes;
      store(last == lanes ? load(from + place) : load_some(from + place, last), to + place);
    }
    return;
  }
  if (padded > count)
    for (Index l = 0; l < k; ++l) std::fill(to + l * padded + count, to + (l + 1) * padded, 0.0);
  for (Index i = 0; i < count; ++i, from += A.row_step)
    for (Index l = 0; l < k; ++l) to[l * padded + i] = from[l * A.column_step];
}

// Columns [first, first + count) of B for the given steps, one after the other.
void copy_columns(const Factor& B, Index first, Index count, Range steps, double* to) {
  const double* from = B.data + first * B.column_step + steps.begin * B.row_step;
  const Index k = steps.end - steps.begin;
  if (B.row_step == 1) {
    for (Index j = 0; j < count; ++j) std::copy_n(from + j * B.column_step, k, to + j * copy_step);
    return;
  }
  for (Index top = 0; top < k; top += 8)
    for (Index j = 0; j < count; ++j)
      for (Index l = top; l < std::min(top + 8, k); ++l)
        to[j * copy_step + l] = from[l * B.row_step + j * B.column_step];
}

// Memory of the given size, on the stack of its owner when it is small.
template <class T, Index on_stack>
class Buffer {
 public:
  explicit Buffer(Index size) {
    if (size > on_stack) heap_.reset(new (std::align_val_t(64)) T[static_cast<size_t>(size)]);
  }
  T* data() { return heap_ ? heap_.get() : stack_; }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  alignas(64) T stack_[static_cast<size_t>(on_stack)];
  std::unique_ptr<T[], Free> heap_;
};

Range both(const Range& a, const Range& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}
Range within(Index k, const Range& range) {
  return {std::clamp<Index>(range.begin, 0, k), std::clamp<Index>(range.end, 0, k)};
}
Index length(const Range& range) { return std::max<Index>(range.end - range.begin, 0); }

struct Product {
  Index m, n, k;
  const Factor &A, &B;
  Matrix& C;
  bool add;
  const double* packed_A;   // nullptr: A is read where it is
  bool in_place;            // so is B
  const Range* by_rows;     // k that each vector of rows needs
  const Range* by_columns;  // k that each tile's columns need
  const Index* first_row;   // that is read of each tile's columns

  // The given steps of vectors [first, first + height) of the panel that starts at row `top`;
  // b: the first number of the first column, columns b_step apart.
  void add_steps(Index top, Index first, Index height, const Range& wide, const Range& steps,
                 const double* b, Index b_step, bool more) const {
    const Index row = top + first * lanes;
    TileTask task;
    task.k = steps.end - steps.begin;
    task.last = std::min<Index>(m - row - (height - 1) * lanes, lanes);
    task.b = b;
    task.b_step = b_step;
    task.c = &C(row, wide.begin);
    task.c_step = m;
    task.width = wide.end - wide.begin;
    task.add = more;
    if (packed_A) {
      task.a_step = height_of(std::min<Index>(rows, m - top)) * lanes;
      task.a = packed_A + top * k + first * lanes + steps.begin * task.a_step;
      return any_tile_product<true>(height, task);
    }
    task.a_step = A.column_step;
    task.a = A.data + row + steps.begin * task.a_step;
    any_tile_product<false>(height, task);
  }

  // The steps of one block for the tile at rows `top`, columns `wide`.
  void compute_tile(Index top, const Range& wide, const Range& steps, const double* b,
                    Index b_step) const {
    const Index end = std::min<Index>(top + rows, m), unread = first_row[wide.begin / columns];
    if (end <= unread) return;
    const Index first = unread > top ? (unread - top) / lanes : 0;
    const Index height = height_of(end - top) - first;
    // What every vector needs, and what some do.
    Range needs[vectors], every = by_columns[wide.begin / columns], some{k, 0};
    Index total = 0;
    for (Index v = 0; v < height; ++v) {
      needs[v] = both(by_rows[top / lanes + first + v], by_columns[wide.begin / columns]);
      if (length(needs[v]) == 0) needs[v] = {every.begin, every.begin};
      every = both(every, needs[v]);
      some = {std::min(some.begin, needs[v].begin), std::max(some.end, needs[v].end)};
      total += length(needs[v]);
    }
    if (length(some) == 0) {
      if (!add && steps.begin == 0) zero({top + first * lanes, end}, wide);
      return;
    }
    // The rest comes after the common part, in the same block or later, where it is worth a call.
    const bool split = length(every) > 0 && every.begin / depth == some.begin / depth &&
                       height * length(some) - total >= worth_a_call;
    if (!split) every = some;
    const auto compute = [&](Index v, Index count, const Range& range, bool more) {
      const Range here = both(range, steps);
      if (length(here) > 0)
        add_steps(top, first + v, count, wide, here, b + (here.begin - steps.begin), b_step,
                  more || here.begin > range.begin);
    };
    compute(0, height, every, add);
    for (Index v = 0; split && v < height; ++v) {
      compute(v, 1, {needs[v].begin, std::min(every.begin, needs[v].end)}, true);
      compute(v, 1, {std::max(every.end, needs[v].begin), needs[v].end}, true);
    }
  }

  void zero(const Range& high, const Range& wide) const {
    for (Index j = wide.begin; j < wide.end; ++j)
      std::fill(C.data() + j * m + high.begin, C.data() + j * m + high.end, 0.0);
  }

  void compute_strip(Index first, Index end) const {
    alignas(64) double copy[copy_step * widest_copy];
    for (Index start = 0; start < k; start += depth) {
      const Range steps{start, std::min(start + depth, k)};
      if (!in_place) copy_columns(B, first, end - first, steps, copy);
      const double* b = in_place ? B.data + first * B.column_step + start : copy;
      const Index b_step = in_place ? B.column_step : copy_step;
      for (Index top = 0; top < m; top += block)
        for (Index j = first; j < end; j += columns)
          for (Index i = top; i < std::min(top + block, m); i += rows)
            compute_tile(i, {j, std::min<Index>(j + columns, end)}, steps, b + (j - first) * b_step,
                         b_step);
    }
  }
};

}  // namespace

const bool masked_tiles = loads_some;

void tiled_product(Index k, const Factor& A, const Factor& B, Matrix& C, bool add,
                   const TileRule& rule, Team& team) {
  const Index m = C.rows(), n = C.cols();
  if (k == 0 || m == 0 || n == 0) {
    if (!add) C.setZero();
    return;
  }
  const Index row_count = height_of(m), column_count = (n + columns - 1) / columns;
  Buffer<Range, 8> by_rows(row_count), by_columns(column_count);
  Buffer<Index, 8> first_row(column_count);
  for (Index v = 0; v < row_count; ++v) {
    const Range high{v * lanes, std::min<Index>((v + 1) * lanes, m)};
    by_rows.data()[v] = within(k, rule.by_rows ? rule.by_rows(high) : Range{0, k});
  }
  for (Index t = 0; t < column_count; ++t) {
    const Range wide{t * columns, std::min<Index>((t + 1) * columns, n)};
    by_columns.data()[t] = within(k, rule.by_columns ? rule.by_columns(wide) : Range{0, k});
    first_row.data()[t] = rule.first_row ? rule.first_row(wide) : 0;
  }
  // Columns of B are read where they are, unless the distance between them puts all of them at the
  // same place of the cache.
  const bool in_place = B.row_step == 1 && B.column_step % 512 != 0;
  const bool shared = static_cast<double>(m * k) * static_cast<double>(n) >= least_shared;
  const auto share = [&](Index count, const auto& job) {
    if (shared) return team.for_each(count, job);
    for (Index i = 0; i < count; ++i) job(i);
  };
  const auto compute = [&](const double* packed) {
    const Product product{m,
                          n,
                          k,
                          A,
                          B,
                          C,
                          add,
                          packed,
                          in_place,
                          by_rows.data(),
                          by_columns.data(),
                          first_row.data()};
    const Index strip = strip_width(n, shared ? team.threads() : 1, !in_place);
    share((n + strip - 1) / strip,
          [&](Index s) { product.compute_strip(s * strip, std::min((s + 1) * strip, n)); });
  };
  if (loads_some && A.row_step == 1 && m * k <= fits_the_cache) return compute(nullptr);
  // Whole panels have `rows` rows, so that of the row i starts at i * k.
  Buffer<double, on_the_stack> packed((m + lanes) * k);
  share((m + rows - 1) / rows, [&](Index panel) {
    const Index first = panel * rows;
    pack_rows(A, first, std::min<Index>(rows, m - first), k, packed.data() + first * k);
  });
  compute(packed.data());
}

}  // namespace loopcert
