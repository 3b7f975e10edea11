// loopcert-importer LIMIT FILE NAME...: reads the variables NAME of a .mat or .h5 file and writes
// them to standard output as .npz, called 0, 1, … in the order of the request. Called by loopcert;
// everything it takes is limited first.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "formats.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::importer {
namespace {

// Of the processor. Honest files take a fraction of it; there are others that never end.
constexpr rlim_t least_seconds = 5, bytes_per_second = rlim_t{1} << 21;
constexpr rlim_t overhead = rlim_t{1} << 30;  // libraries and their work space

void limit(int resource, rlim_t most) {
  const rlimit limits{most, most};
  ::setrlimit(resource, &limits);  // where it fails, a smaller limit is in force already
}

rlim_t seconds_for(const char* path) {
  std::error_code missing;  // is reported when it is opened
  const auto size = std::filesystem::file_size(path, missing);
  return least_seconds + (missing ? 0 : size / bytes_per_second);
}

void limit_everything(std::uint64_t bytes, rlim_t seconds) {
#ifndef LOOPCERT_INSTRUMENTED  // sanitizers reserve terabytes, counters are written to a file
  limit(RLIMIT_AS, 3 * static_cast<rlim_t>(bytes) + overhead);
  limit(RLIMIT_FSIZE, 0);  // pipes are not files: the answer still goes out
#else
  (void)bytes;
  (void)overhead;
#endif
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 16);
}

// By their place in the request: a name in HDF5 may be a path, which no archive should hold.
NamedArrays numbered(NamedArrays arrays, const std::vector<std::string>& wanted) {
  NamedArrays answer;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (auto found = arrays.find(wanted[i]); found != arrays.end())
      answer.emplace(std::to_string(i), std::move(found->second));
  return answer;
}

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count <= 0) std::exit(1);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

}  // namespace
}  // namespace loopcert::importer

int main(int argc, char** argv) {
  using namespace loopcert;
  if (argc < 4) {
    std::fputs("usage: loopcert-importer LIMIT FILE NAME...\n", stderr);
    return 2;
  }
  const std::uint64_t bytes = std::strtoull(argv[1], nullptr, 10);
  importer::limit_everything(bytes, importer::seconds_for(argv[2]));
  try {
    const std::vector<std::string> wanted(argv + 3, argv + argc);
    importer::write_all(
        format_npz(importer::numbered(importer::read_variables(argv[2], wanted, bytes), wanted)));
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "out of memory: the file is too large\n");
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
