#include "data/npz.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <cmath>

#include "data/npy.hpp"
#include "input_error.hpp"
#include "temp_folder.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;
using testing::TempFolder;

std::string le(std::uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 255);
  return bytes;
}

std::string deflate_raw(const std::string& content) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// One member put together by hand; every number can be made to lie.
struct Member {
  std::string name, packed;
  std::uint64_t method, size, crc;
  std::uint64_t packed_size = packed.size();
  std::uint64_t flags = 0, disk = 0;
  std::string entry_extra = {}, local_extra = {}, descriptor = {}, local_name = name;
  std::uint64_t local_method = method;
  std::uint64_t shift = 0;  // added to where the directory says it starts
};

Member member(const std::string& name, const std::string& content, bool deflated) {
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  return {name, deflated ? deflate_raw(content) : content, deflated ? 8u : 0u, content.size(), crc};
}

struct Tail {
  std::uint64_t count, directory_size, begin;
  std::uint64_t disks = 0;
  std::string twin = {};  // between directory and end record
  std::string comment = {};
};

std::string zip(
    const std::vector<Member>& members, const std::function<void(Tail&)>& change = [](Tail&) {}) {
  std::string archive, directory;
  for (const Member& m : members) {
    const std::string sizes = le(m.crc, 4) + le(m.packed_size, 4) + le(m.size, 4);
    directory += "PK\1\2" + le(20, 2) + le(20, 2) + le(m.flags, 2) + le(m.method, 2) + le(0, 4) +
                 sizes + le(m.name.size(), 2) + le(m.entry_extra.size(), 2) + le(0, 2) +
                 le(m.disk, 2) + le(0, 6) + le(archive.size() + m.shift, 4) + m.name +
                 m.entry_extra;
    archive += "PK\3\4" + le(20, 2) + le(m.flags, 2) + le(m.local_method, 2) + le(0, 4) + sizes +
               le(m.local_name.size(), 2) + le(m.local_extra.size(), 2) + m.local_name +
               m.local_extra + m.packed + m.descriptor;
  }
  Tail tail{members.size(), directory.size(), archive.size()};
  change(tail);
  return archive + directory + tail.twin + "PK\5\6" + le(tail.disks, 4) + le(tail.count, 2) +
         le(tail.count, 2) + le(tail.directory_size, 4) + le(tail.begin, 4) +
         le(tail.comment.size(), 2) + tail.comment;
}

const Array one{{2, 3}, {1, 2, 3, 4, 5, 6}, {}};
const Array two{{4}, {0.1, -0.0, 1e300, 5e-324}, {}};

void expect_same(const NamedArrays& found, const NamedArrays& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, array] : expected) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_EQ(found.at(name).shape, array.shape);
    EXPECT_EQ(found.at(name).values, array.values);
  }
}

TEST(Npz, ReadsBackWhatItWrites) {
  const TempFolder folder;
  const NamedArrays arrays = {{"Phi_u", one}, {"b", two}, {"empty", {{0, 2}, {}, {}}}};
  write_npz(folder / "a.npz", arrays);
  expect_same(read_npz(folder / "a.npz"), arrays);
  write_npz(folder / "none.npz", {});
  EXPECT_TRUE(read_npz(folder / "none.npz").empty());
}

// What a strict zip program expects, put together by the test's own writer.
TEST(Npz, WritesTheSameBytesEveryDay) {
  std::string expected = zip({member("a.npy", format_npy(one), false)});
  for (size_t at = 0; (at = expected.find("PK", at)) != expected.npos; at += 2) {
    if (expected[at + 2] == 3) expected[at + 12] = 0x21;  // day 1 of month 1 of 1980
    if (expected[at + 2] == 1) expected[at + 14] = 0x21;
  }
  EXPECT_EQ(format_npz({{"a", one}}), expected);
}

RC_GTEST_PROP(Npz, ReadsDeflatedAndStoredMembers, ()) {
  NamedArrays arrays;
  std::vector<Member> members;
  const int count = *rc::gen::inRange(0, 5);
  for (int i = 0; i < count; ++i) {
    Array array{{*rc::gen::inRange<Index>(0, 200)}, {}, {}};
    for (Index j = 0; j < array.shape[0]; ++j)
      array.values.push_back(std::ldexp(*rc::gen::inRange(-9, 9), *rc::gen::inRange(-3, 3)));
    const std::string name = "w" + std::to_string(i);
    arrays[name] = array;
    members.push_back(member(name + ".npy", format_npy(array), *rc::gen::arbitrary<bool>()));
  }
  expect_same(parse_npz(zip(members)), arrays);
}

TEST(Npz, ReadsWhatStreamsAndLargeFileWritersLeave) {
  const std::string content = format_npy(one);
  // NumPy: 64-bit sizes before the data, plain ones in the directory.
  Member numpy = member("a.npy", content, false);
  numpy.local_extra = le(1, 2) + le(16, 2) + le(content.size(), 8) + le(content.size(), 8);
  expect_same(parse_npz(zip({numpy})), {{"a", one}});
  // A stream: sizes behind the data.
  Member stream = member("a.npy", content, true);
  stream.flags = 8;
  stream.descriptor =
      "PK\7\x8" + le(stream.crc, 4) + le(stream.packed_size, 4) + le(stream.size, 4);
  expect_same(parse_npz(zip({stream, member("b.npy", content, false)})), {{"a", one}, {"b", one}});
  // 64-bit sizes in the directory that say little numbers, after another extra field.
  Member large = member("a.npy", content, false);
  large.entry_extra = le(7, 2) + le(3, 2) + "xyz" + le(1, 2) + le(16, 2) + le(large.size, 8) +
                      le(large.packed_size, 8);
  large.size = large.packed_size = 0xffffffff;
  large.packed = content;
  expect_same(parse_npz(zip({large})), {{"a", one}});
  // So does where the member starts.
  Member far = member("b.npy", content, false);
  far.entry_extra = le(1, 2) + le(8, 2) + le(content.size() + 35, 8);
  far.shift = 0xffffffff - (content.size() + 35);
  expect_same(parse_npz(zip({member("a.npy", content, false), far})), {{"a", one}, {"b", one}});
  // The 64-bit end record that Python adds from 2 GiB on.
  expect_same(parse_npz(zip({numpy}, [](Tail& t) { t.twin = "PK\6\6" + std::string(72, '\0'); })),
              {{"a", one}});
}

TEST(Npz, RefusesEveryTruncation) {
  const std::string content = format_npy(one);
  for (const std::string& bytes :
       {format_npz({{"a", one}, {"b", two}}), zip({member("a.npy", content, true)})})
    for (size_t length = 0; length < bytes.size(); ++length)
      EXPECT_NE(input_error([&] { parse_npz(bytes.substr(0, length)); }), "") << length;
}

// Whatever is changed, the result is a refusal or the same arrays.
TEST(Npz, SurvivesEveryChangedByte) {
  const NamedArrays arrays = {{"a", two}};
  const std::string content = format_npy(two);
  for (const std::string& bytes : {format_npz(arrays), zip({member("a.npy", content, true)})})
    for (size_t at = 0; at < bytes.size(); ++at)
      for (const int bits : {1, 2, 8, 0x40, 0x80, 0xff}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ bits);
        input_error([&] {
          const NamedArrays found = parse_npz(changed);
          if (found.contains("a")) expect_same(found, arrays);
        });
      }
}

struct Bad {
  std::string bytes;
  std::string message;  // part of it
};

TEST(Npz, RefusesBadNames) {
  const auto named = [](const std::string& name) {
    return zip({member(name, format_npy(one), false)});
  };
  const std::vector<Bad> cases = {
      {named("../a.npy"), "'../a.npy': found '/' in the name, expected a plain name"},
      {named("a..npy"), "'a..npy': found '..' in the name"},
      {named("/a.npy"), "'/' in the name"},
      {named("x/a.npy"), "'/' in the name"},
      {named("C:\\a.npy"), "'\\' in the name"},
      {named(std::string(197, 'a') + ".npy"), "a name of 201 characters"},
      {named(std::string("a\0.npy", 6)), "'a\\x00.npy': found characters"},
      {named("a\n.npy"), "'a\\x0a.npy': found characters"},
      {named("\xcf\x83.npy"), "not printable ASCII"},
      {named("\x7f.npy"), "not printable ASCII"},
      {named(""), "'': found no name"},
      {named(".npy"), ".npy: no array (NAME.npy)"},
      {named("a.txt"), "a.txt: no array (NAME.npy)"},
      {zip({member("a.npy", format_npy(one), false), member("a.npy", format_npy(two), false)}),
       "a.npy: the name occurs twice"},
  };
  for (const Bad& bad : cases)
    EXPECT_TRUE(contains(input_error([&] { parse_npz(bad.bytes); }), bad.message));
  std::string longest(196, 'a');
  longest += ".npy";
  EXPECT_EQ(input_error([&] { parse_npz(named(longest)); }), "");
  for (const std::string& name : {std::string("../a"), std::string("a/b"), std::string(),
                                  std::string(197, 'a'), std::string("a\n")})
    EXPECT_NE(input_error([&] { format_npz({{name, one}}); }), "") << name;
}

TEST(Npz, RefusesBombsAndLies) {
  const auto changed = [](bool deflated, const std::function<void(Member&)>& change) {
    Member m = member("a.npy", format_npy(one), deflated);
    change(m);
    return zip({m});
  };
  const auto tail = [](const std::function<void(Tail&)>& change) {
    return zip({member("a.npy", format_npy(one), false)}, change);
  };
  const auto large = [&](std::uint64_t size, std::uint64_t packed, bool deflated) {
    return changed(deflated, [&](Member& m) {
      m.size = m.packed_size = 0xffffffff;
      m.entry_extra = le(1, 2) + le(16, 2) + le(size, 8) + le(packed, 8);
    });
  };
  const std::string zeros = format_npy({{1 << 20}, std::vector<double>(1 << 20), {}});
  Member bomb = member("a.npy", zeros, true);
  Member shy = bomb, boastful = bomb;
  shy.size = 1000;
  boastful.size += 1000;
  // One member's data again under other names: small on disk, as much as one likes in memory.
  std::vector<Member> quoted(2, bomb);
  quoted[1].name = quoted[1].local_name = "b.npy";
  quoted[1].shift = -(bomb.packed.size() + 35);
  const std::vector<Bad> cases = {
      {zip({shy}), "a.npy: damaged: it unpacks to more than the 1000 bytes"},
      {zip({boastful}), "a.npy: found 8388736 bytes, expected 8389736 bytes"},
      {zip(quoted), "b.npy: found a start at byte 0, expected "},
      {changed(true, [](Member& m) { m.size = 0x7fffffff; }), "expected enough for 2147483647"},
      {changed(false, [](Member& m) { m.size = 0x7fffffff; }), "a.npy: found 176 stored bytes"},
      {changed(false, [](Member& m) { m.size = m.packed_size = 0x7fffffff; }),
       "bytes left where 2147483647 are needed"},
      {large(5ULL << 30, 5ULL << 30, false),
       "a.npy: found 5368709120 bytes after 0, expected at most"},
      {large(~0ULL, ~0ULL, false), "a.npy: found 18446744073709551615 bytes after 0"},
      {large(~0ULL, ~0ULL, true), "a.npy: found 18446744073709551615 bytes after 0"},
      {large(~0ULL, 10, true), "a.npy: found 10 deflated bytes, expected enough for 1844674407370"},
      {changed(false, [](Member& m) { m.size = m.packed_size = 0xffffffff; }),
       "a.npy: the file is truncated"},
      {changed(false,
               [](Member& m) {
                 m.size = m.packed_size = 0xffffffff;
                 m.entry_extra = le(1, 2) + le(8, 2) + le(176, 8);
               }),
       "zip64 field: the file is truncated"},
      {changed(false, [](Member& m) { m.entry_extra = le(1, 2) + le(99, 2); }), "extra field"},
      {changed(false, [](Member& m) { m.crc ^= 1; }), "a.npy: damaged: its checksum is "},
      {changed(true, [](Member& m) { m.crc ^= 1; }), " was recorded"},
      {changed(true, [](Member& m) { m.packed[0] = '\7'; }), "the deflated data are broken"},
      {changed(true,
               [](Member& m) {
                 m.packed.pop_back();
                 --m.packed_size;
               }),
       "a.npy: damaged: the data stop after"},
      {changed(true,
               [](Member& m) {
                 m.packed += "xx";
                 m.packed_size += 2;
               }),
       "a.npy: damaged: 2 bytes after the data"},
      {changed(false, [](Member& m) { m.flags = 1; }), "a.npy: is encrypted"},
      {changed(false, [](Member& m) { m.flags = 0x40; }), "a.npy: is encrypted"},
      {changed(false, [](Member& m) { m.flags = 0x20; }), "a.npy: found flags 0x0020"},
      {changed(false, [](Member& m) { m.method = m.local_method = 12; }), "a.npy: found method 12"},
      {changed(false, [](Member& m) { m.local_method = 8; }), "another method"},
      {changed(false, [](Member& m) { m.local_name = "b.npy"; }), "it is called 'b.npy' before"},
      {changed(false, [](Member& m) { m.disk = 1; }), "a part of an archive on several disks"},
      {changed(false, [](Member& m) { m.shift = 4; }), "a.npy: the file is truncated or damaged"},
      {changed(false, [](Member& m) { m.shift = 1000; }), "a.npy: found a start at byte 1000"},
      {changed(false, [](Member& m) { m.packed[130] ^= 1; }), "a.npy: damaged: its checksum is "},
      {tail([](Tail& t) { t.comment = "hello"; }), "zip end: the file is truncated or damaged"},
      {tail([](Tail& t) { t.disks = 1; }), "zip end: a part of an archive on several disks"},
      {tail([](Tail& t) { t.count = 2; }), "zip directory entry 2 of 2: the file is truncated"},
      {tail([](Tail& t) { t.count = 0; }),
       "zip directory: damaged: 51 bytes more than its 0 entries have"},
      {tail([](Tail& t) { t.count = 0xffff; }), "more than 4 GiB or 65534 members"},
      {tail([](Tail& t) { t.begin = 0xffffffff; }), "more than 4 GiB"},
      {tail([](Tail& t) { t.directory_size = 0xffffffff; }), "more than 4 GiB"},
      {tail([](Tail& t) { t.begin += 1; }), "zip end: found a directory of bytes"},
      {tail([](Tail& t) { t.directory_size = 0xfffffffe; }), "zip end: found a directory of bytes"},
      {tail([](Tail& t) { t.twin = std::string(76, '\0'); }),
       "zip end: found a directory of bytes"},
      {format_npy(one), "zip end: the file is truncated or damaged"},
      {"", "zip end: the file is truncated: 0 bytes left where 4 are needed"},
  };
  for (const Bad& bad : cases)
    EXPECT_TRUE(contains(input_error([&] { parse_npz(bad.bytes); }), bad.message));
}

TEST(Npz, HoldsAsManyMembersAsTheFormatCanCount) {
  NamedArrays arrays;
  for (int i = 0; i < 65534; ++i) arrays.emplace(std::to_string(i), Array{{0}, {}, {}});
  EXPECT_EQ(parse_npz(format_npz(arrays)).size(), 65534u);
  arrays.emplace("z", Array{{0}, {}, {}});
  EXPECT_EQ(input_error([&] { format_npz(arrays); }),
            "z.npy: found member 65535, expected at most 65534");
}

TEST(Npz, NamesFileMemberAndPlace) {
  const TempFolder folder;
  const auto path = folder.write("a.npz", zip({member("w.npy", "not an array", false)}));
  EXPECT_EQ(input_error([&] { read_npz(path); }),
            path.string() + ": w.npy: npy start: found 'not an', expected '\\x93NUMPY'");
}

}  // namespace
}  // namespace loopcert
