#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>

#include "loopcert/core/error.hpp"
#include "npy/zip.hpp"

namespace loopcert {
namespace {

// Ends the stream when the scope ends.
struct Inflater {
  z_stream stream{};

  Inflater() {
    // Negative: no zlib header around the data.
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

// zlib counts in 32 bits.
uInt step_size(size_t left) { return static_cast<uInt>(std::min<size_t>(left, 1 << 30)); }

// Unpacks into `size` bytes and one spare one, which must stay unused.
std::string inflate_exactly(const ZipMember& member) {
  const auto expected = fmt::format("{} bytes", member.size);
  std::string out(member.size + 1, '\0');
  Inflater inflater;
  z_stream& stream = inflater.stream;
  size_t taken = 0, done = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    const uInt in = step_size(member.packed.size() - taken);
    const uInt room = step_size(out.size() - done);
    // zlib's interface is older than const; it does not write there.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(member.packed.data() + taken));
    stream.avail_in = in;
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    stream.avail_out = room;
    status = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    done += room - stream.avail_out;
    if (done > member.size)
      throw InputError(member.name + ": damaged: it unpacks to more than the " + expected);
  }
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status == Z_BUF_ERROR)
    throw InputError(
        fmt::format("{}: damaged: the data stop after {} of the {}", member.name, done, expected));
  if (status != Z_STREAM_END)
    throw InputError(member.name + ": damaged: the deflated data are broken");
  if (done != member.size) throw_input_error(member.name, fmt::format("{} bytes", done), expected);
  if (taken != member.packed.size())
    throw InputError(fmt::format("{}: damaged: {} bytes after the data", member.name,
                                 member.packed.size() - taken));
  out.pop_back();
  return out;
}

}  // namespace

std::string_view unpack(const ZipMember& member, std::string& buffer) {
  std::string_view bytes = member.packed;
  if (member.deflated) bytes = buffer = inflate_exactly(member);
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  if (crc != member.crc)
    throw InputError(fmt::format("{}: damaged: its checksum is {:08x}, and {:08x} was recorded",
                                 member.name, crc, member.crc));
  return bytes;
}

}  // namespace loopcert
