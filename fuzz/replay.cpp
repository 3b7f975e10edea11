// replay CORPUS [TARGET]: runs every file CORPUS/<target>/* through its target, in any build. The
// name of a file goes out before it runs, so that after a crash the last one is the culprit.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "targets.hpp"

namespace loopcert::fuzz {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, void (*)(Bytes)>& targets() {
  static const std::map<std::string, void (*)(Bytes)> table = {
      {"toml", toml},
      {"json", json},
      {"sweep_file", sweep_file},
      {"coverage_file", coverage_file},
      {"csv", csv},
      {"costs", costs},
      {"survey", survey},
      {"npy", npy},
      {"npz", npz},
      {"logs", logs},
#ifdef LOOPCERT_FUZZ_IMPORTER
      {"mat", mat},
      {"hdf5", hdf5},
#endif
      {"importer_answer", importer_answer},
      {"controller", controller},
      {"certificate", certificate},
      {"evidence", evidence},
#ifdef LOOPCERT_FUZZ_CHECKER
      {"checker", checker},
      {"checker_files", checker_files},
#endif
      {"sweep_store", sweep_store},
      {"sweep_record", sweep_record},
      {"report", report},
      {"watch", watch},
  };
  return table;
}

std::vector<fs::path> sorted_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool passes(void (*target)(Bytes), const fs::path& path) {
  std::fprintf(stderr, "%s\n", path.c_str());
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  try {
    target(bytes);
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "  unexpected exception: %s\n", error.what());
    return false;
  }
}

// The number of files that failed; a target without files counts as one.
int replay(const fs::path& corpus, const std::string& only) {
  int failed = 0, done = 0;
  for (const auto& [name, target] : targets()) {
    if (!only.empty() && only != name) continue;
    const int before = done;
    if (fs::is_directory(corpus / name))
      for (const fs::path& path : sorted_files(corpus / name)) {
        failed += passes(target, path) ? 0 : 1;
        ++done;
      }
    if (done > before) continue;
    std::fprintf(stderr, "%s: no files\n", (corpus / name).c_str());
    ++failed;
  }
  std::printf("%d files, %d failed\n", done, failed);
  return done == 0 ? 1 : failed;
}

}  // namespace
}  // namespace loopcert::fuzz

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fputs("usage: replay CORPUS [TARGET]\n", stderr);
    return 2;
  }
  return loopcert::fuzz::replay(argv[1], argc == 3 ? argv[2] : "") == 0 ? 0 : 1;
}
