#include "core/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "loopcert/core/error.hpp"

namespace loopcert {

std::uint64_t memory_limit() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  std::uint64_t limit = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
  struct rlimit address_space {};
  if (::getrlimit(RLIMIT_AS, &address_space) == 0 && address_space.rlim_cur != RLIM_INFINITY)
    limit = std::min<std::uint64_t>(limit, address_space.rlim_cur);
  return limit;
}

void check_memory(const std::string& what, double needed_bytes, std::uint64_t limit_bytes) {
  if (!(needed_bytes <= static_cast<double>(limit_bytes)))
    throw InputError(
        fmt::format("{}: out of memory: it needs about {:.3g} GiB, and {:.3g} GiB are available",
                    what, needed_bytes * 0x1p-30, static_cast<double>(limit_bytes) * 0x1p-30));
}

}  // namespace loopcert
