// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/murmur3.h"

#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"

namespace shardingdb {
namespace {

// Reads `size` <= sizeof(Word) bytes, the first one lowest. Compilers make one
// load of it where `size` is known.
template <typename Word>
inline Word LoadLittleEndian(const char* data, size_t size) {
  Word word = 0;
  for (size_t i = 0; i < size; ++i) {
    word |= static_cast<Word>(static_cast<unsigned char>(data[i])) << (8 * i);
  }
  return word;
}

inline uint32_t RotateLeft(uint32_t x, int bits) {
  return (x << bits) | (x >> (32 - bits));
}

inline uint64_t RotateLeft(uint64_t x, int bits) {
  return (x << bits) | (x >> (64 - bits));
}

inline uint32_t Finish(uint32_t h) {
  h = (h ^ (h >> 16)) * 0x85ebca6bU;
  h = (h ^ (h >> 13)) * 0xc2b2ae35U;
  return h ^ (h >> 16);
}

inline uint64_t Finish(uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdULL;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

inline uint32_t Scramble(uint32_t k) {
  return RotateLeft(k * 0xcc9e2d51U, 15) * 0x1b873593U;
}

constexpr uint64_t kFactor1 = 0x87c37b91114253d5ULL;
constexpr uint64_t kFactor2 = 0x4cf5ad432745937fULL;

inline uint64_t ScrambleFirst(uint64_t k) {
  return RotateLeft(k * kFactor1, 31) * kFactor2;
}

inline uint64_t ScrambleSecond(uint64_t k) {
  return RotateLeft(k * kFactor2, 33) * kFactor1;
}

}  // namespace

uint32_t Murmur3Hash32(const leveldb::Slice& data, uint32_t seed) {
  const size_t whole = data.size() / 4 * 4;
  uint32_t h = seed;
  for (size_t i = 0; i < whole; i += 4) {
    h ^= Scramble(LoadLittleEndian<uint32_t>(data.data() + i, 4));
    h = RotateLeft(h, 13) * 5 + 0xe6546b64U;
  }
  h ^= Scramble(
      LoadLittleEndian<uint32_t>(data.data() + whole, data.size() - whole));
  return Finish(h ^ static_cast<uint32_t>(data.size()));
}

Hash128 Murmur3Hash128(const leveldb::Slice& data, uint32_t seed) {
  const size_t whole = data.size() / 16 * 16;
  uint64_t h1 = seed;
  uint64_t h2 = seed;
  for (size_t i = 0; i < whole; i += 16) {
    h1 ^= ScrambleFirst(LoadLittleEndian<uint64_t>(data.data() + i, 8));
    h1 = (RotateLeft(h1, 27) + h2) * 5 + 0x52dce729U;
    h2 ^= ScrambleSecond(LoadLittleEndian<uint64_t>(data.data() + i + 8, 8));
    h2 = (RotateLeft(h2, 31) + h1) * 5 + 0x38495ab5U;
  }
  const char* const tail = data.data() + whole;
  const size_t rest = data.size() - whole;
  if (rest > 8)
    h2 ^= ScrambleSecond(LoadLittleEndian<uint64_t>(tail + 8, rest - 8));
  h1 ^= ScrambleFirst(LoadLittleEndian<uint64_t>(tail, rest < 8 ? rest : 8));
  h1 ^= data.size();
  h2 ^= data.size();
  h1 += h2;
  h2 += h1;
  h1 = Finish(h1);
  h2 = Finish(h2);
  h1 += h2;
  return {h1, h2 + h1};
}

}  // namespace shardingdb
