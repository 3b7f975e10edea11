#include "data/logs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/check.hpp"
#include "core/sha256.hpp"
#include "data/hash.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// Row i as steps x components.
Matrix unfolded(const Matrix& rows, Index i, Index components) {
  Matrix episode(rows.cols() / components, components);
  for (Index t = 0; t < episode.rows(); ++t)
    episode.row(t) = rows.row(i).segment(t * components, components);
  return episode;
}

void check_log(const LogEpisode& log, Index n_y, Index n_u) {
  check_at_least("steps", log.u.rows(), 1);
  check_size("states", log.y, log.u.rows() + 1, n_y);
  check_size("inputs", log.u, log.u.rows(), n_u);
  check_finite("states", log.y);
  check_finite("inputs", log.u);
}

}  // namespace

Logs logs_of(const Rollouts& rollouts, const Sizes& sizes) {
  Logs logs;
  for (Index i = 0; i < rollouts.x.rows(); ++i)
    logs.push_back({unfolded(rollouts.x, i, sizes.n_x), unfolded(rollouts.u, i, sizes.n_u)});
  return logs;
}

void check_logs(const Logs& logs, Index n_y, Index n_u, bool keep_repeated) {
  check_at_least("episodes", static_cast<Index>(logs.size()), 1);
  std::map<std::string, size_t> seen;
  for (size_t i = 0; i < logs.size(); ++i) {
    at_place(log_place(logs, i), [&] { check_log(logs[i], n_y, n_u); });
    const auto [before, fresh] = seen.emplace(row_bytes_of(logs[i].y) + row_bytes_of(logs[i].u), i);
    if (!fresh && !keep_repeated)
      throw InputError(fmt::format(
          "{}: equal to {}: if they are different recordings, say data.repeated = \"keep\"",
          log_place(logs, i), log_place(logs, before->second)));
  }
}

std::vector<size_t> order_of_starts(const Logs& logs) {
  const auto entry = [&](size_t i, Index k) {  // of (y_0, u_0)
    const LogEpisode& log = logs[i];
    return k < log.y.cols() ? log.y(0, k) : log.u(0, k - log.y.cols());
  };
  const auto starts_before = [&](size_t i, size_t j) {
    for (Index k = 0; k < logs[i].y.cols() + logs[i].u.cols(); ++k)
      if (entry(i, k) != entry(j, k)) return entry(i, k) < entry(j, k);
    return false;
  };
  std::vector<size_t> order(logs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), starts_before);
  return order;
}

Logs by_starts(const Logs& logs) {
  Logs sorted;
  for (const size_t i : order_of_starts(logs)) {
    sorted.push_back(logs[i]);
    if (sorted.back().place == 0) sorted.back().place = static_cast<Index>(i) + 1;
  }
  return sorted;
}

std::string log_place(const Logs& logs, size_t i) {
  return fmt::format("episode {}", logs[i].place > 0 ? logs[i].place : static_cast<Index>(i) + 1);
}

std::string logs_hash(const Logs& logs) {
  std::string bytes;
  for (const LogEpisode& log : logs) bytes += row_bytes_of(log.y);
  for (const LogEpisode& log : logs) bytes += row_bytes_of(log.u);
  return sha256_hex(bytes);
}

}  // namespace loopcert
