#include <fmt/format.h>
#include <langinfo.h>
#include <locale.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "core/memory.hpp"
#include "core/number_from.hpp"
#include "core/parallel.hpp"
#include "doctor/doctor_checks.hpp"

namespace loopcert::app {
namespace {

namespace fs = std::filesystem;

std::string gibibytes(std::uint64_t bytes) {
  return fmt::format("{:.3g} GiB", static_cast<double>(bytes) * 0x1p-30);
}

// What a container allows, or 0 when nothing limits it.
std::uint64_t container_limit() {
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::string text;
    if (!(file >> text)) continue;
    if (const auto bytes = number_from<std::uint64_t>(text)) return *bytes;
  }
  return 0;
}

// Whether a file can be made there. Permissions alone do not say it: a disk may be full.
bool writable(const fs::path& folder) {
  std::string name = (folder / "loopcert-doctor-XXXXXX").string();
  const int file = ::mkstemp(name.data());
  if (file < 0) return false;
  const bool wrote = ::write(file, "x", 1) == 1;
  ::close(file);
  ::unlink(name.c_str());
  return wrote;
}

}  // namespace

Finding look_at_threads() {
  const unsigned cores = std::thread::hardware_concurrency();
  return {Verdict::ok,
          fmt::format("{} by default; the machine has {}", default_threads(), cores),
          {{"default", default_threads()}, {"hardware", cores}}};
}

Finding look_at_memory() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const std::uint64_t physical = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
  const std::uint64_t limit = memory_limit(), container = container_limit();
  Finding finding{
      Verdict::ok,
      gibibytes(physical) + "; work that needs more than " + gibibytes(limit) + " is refused",
      {{"physical_bytes", physical}, {"limit_bytes", limit}}};
  if (container != 0 && container < limit) {
    finding.verdict = Verdict::note;
    finding.text +=
        "; a container allows " + gibibytes(container) + ", and work between the two may be killed";
    finding.data["container_bytes"] = container;
  }
  return finding;
}

Finding look_at_current_folder() {
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  const bool good = !error && writable(folder);
  return {good ? Verdict::ok : Verdict::note,
          good ? "can be written" : "cannot be written: name folders elsewhere for --out",
          {{"writable", good}}};
}

Finding look_at_temporary_folder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  const bool good = !error && writable(folder);
  return {good ? Verdict::ok : Verdict::problem,
          good ? folder.string() + " can be written"
               : "cannot be written: set TMPDIR to a folder that can",
          {{"writable", good}}};
}

// The program itself stays in the C locale; a user's comma only matters to other programs.
Finding look_at_locale() {
  const std::string own = ::localeconv()->decimal_point;
  if (own != ".") return {Verdict::problem, "is '" + own + "', expected '.'", {{"own", own}}};
  std::string users = ".";
  if (const locale_t locale = ::newlocale(LC_NUMERIC_MASK, "", nullptr)) {
    users = ::nl_langinfo_l(RADIXCHAR, locale);
    ::freelocale(locale);
  }
  Finding finding{
      Verdict::ok, "'.' in files and output, in any locale", {{"own", own}, {"locale", users}}};
  if (users != ".") {
    finding.verdict = Verdict::note;
    finding.text += "; yours has '" + users + "', so other programs may write that into data";
  }
  return finding;
}

}  // namespace loopcert::app
