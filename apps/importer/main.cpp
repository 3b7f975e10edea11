// loopcert-importer LIMIT FILE NAME...: reads the variables NAME of a .mat or .h5 file and writes
// them to standard output as .npz, called 0, 1, … in the order of the request. Called by loopcert;
// everything it takes is limited first.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "formats.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::importer {
namespace {

constexpr rlim_t seconds = 240;
constexpr rlim_t overhead = rlim_t{1} << 30;  // libraries and their work space

void limit(int resource, rlim_t most) {
  const rlimit limits{most, most};
  ::setrlimit(resource, &limits);  // where it fails, a smaller limit is in force already
}

void limit_everything(std::uint64_t bytes) {
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

std::string first_bytes(const std::string& path) {
  std::string bytes(520, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot be opened");
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

// By what the file says it is, not by its name. MATLAB 7.3 puts 512 bytes of its own in front.
NamedArrays read(const std::string& path, const std::vector<std::string>& wanted,
                 std::uint64_t bytes) {
  constexpr std::string_view hdf5 = "\x89HDF\r\n\x1a\n";
  const std::string start = first_bytes(path);
  const std::string_view view = start;
  const bool matlab73 = view.size() >= 520 && view.substr(512).starts_with(hdf5);
  if (view.starts_with(hdf5) || matlab73) return read_hdf5(path, wanted, bytes, matlab73);
  if (view.starts_with("MATLAB 5.0 MAT-file")) return read_mat(path, wanted, bytes);
  throw_input_error("start", view.empty() ? "an empty file" : "no mark of a .mat or .h5 file",
                    "MATLAB 5.0 or 7.3, or HDF5");
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
  importer::limit_everything(bytes);
  try {
    const std::vector<std::string> wanted(argv + 3, argv + argc);
    importer::write_all(
        format_npz(importer::numbered(importer::read(argv[2], wanted, bytes), wanted)));
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "content: found more than fits into memory, expected less\n");
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
