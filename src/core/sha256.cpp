#include "core/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

namespace loopcert {
namespace {

using Word = std::uint32_t;
using State = std::array<Word, 8>;
using std::rotr;

constexpr size_t block_size = 64;

// Fractional parts of the cube roots of the first 64 primes.
constexpr Word K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// FIPS 180-4, section 6.2.2.
void add_block(State& state, const char* block) {
  Word W[64];
  for (int t = 0; t < 16; ++t) {
    W[t] = 0;
    for (int i = 0; i < 4; ++i) W[t] = W[t] << 8 | static_cast<unsigned char>(block[4 * t + i]);
  }
  for (int t = 16; t < 64; ++t) {
    const Word s0 = rotr(W[t - 15], 7) ^ rotr(W[t - 15], 18) ^ W[t - 15] >> 3;
    const Word s1 = rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^ W[t - 2] >> 10;
    W[t] = W[t - 16] + s0 + W[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int t = 0; t < 64; ++t) {
    const Word choice = (e & f) ^ (~e & g);
    const Word majority = (a & b) ^ (a & c) ^ (b & c);
    const Word T1 = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + choice + K[t] + W[t];
    const Word T2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + majority;
    h = g, g = f, f = e, e = d + T1;
    d = c, c = b, b = a, a = T1 + T2;
  }
  const State step = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state.size(); ++i) state[i] += step[i];
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  // Fractional parts of the square roots of the first 8 primes.
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (; bytes.size() >= block_size; bytes.remove_prefix(block_size))
    add_block(state, bytes.data());

  // The rest, one bit, zeros, and the length as the last eight bytes of a block.
  std::string last(bytes);
  last += '\x80';
  last.resize(last.size() <= block_size - 8 ? block_size - 8 : 2 * block_size - 8, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) last += static_cast<char>(bits >> shift & 255);
  for (size_t at = 0; at < last.size(); at += block_size) add_block(state, last.data() + at);

  std::string digits;
  for (const Word word : state) digits += fmt::format("{:08x}", word);
  return digits;
}

}  // namespace loopcert
