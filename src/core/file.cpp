#include "core/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

std::string reason(int code) { return std::generic_category().message(code); }

// Closes the descriptor when the scope ends, whatever happens.
struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

std::string read_file(const std::filesystem::path& path, std::uintmax_t limit) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) throw InputError(path.string() + ": " + reason(errno));
  struct stat status {};
  if (::fstat(file.fd, &status) != 0) throw InputError(path.string() + ": " + reason(errno));
  if (!S_ISREG(status.st_mode)) throw InputError(path.string() + ": not a regular file");
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  if (size > limit)
    throw_input_error(path.string(), std::to_string(size) + " bytes",
                      "at most " + std::to_string(limit));
  std::string content(size, '\0');
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t got = ::read(file.fd, content.data() + done, content.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(path.string() + ": " + reason(errno));
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  content.resize(done);
  return content;
}

void make_directory(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) throw OutputError(path.string() + ": could not be created: " + code.message());
}

}  // namespace loopcert
