// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/murmur3.h"

#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"

namespace shardingdb {
namespace {

inline uint64_t Byte(const char* data, size_t i) {
  return static_cast<unsigned char>(data[i]);
}

// The first byte is the lowest. Without a loop, of which gcc makes one load.
inline uint32_t Load32(const char* data) {
  return static_cast<uint32_t>(Byte(data, 0) | Byte(data, 1) << 8 |
                               Byte(data, 2) << 16 | Byte(data, 3) << 24);
}

inline uint64_t Load64(const char* data) {
  return Byte(data, 0) | Byte(data, 1) << 8 | Byte(data, 2) << 16 |
         Byte(data, 3) << 24 | Byte(data, 4) << 32 | Byte(data, 5) << 40 |
         Byte(data, 6) << 48 | Byte(data, 7) << 56;
}

// The last `size` < 8 bytes of `data`: out of its last eight where it has them.
inline uint64_t LoadLast(const leveldb::Slice& data, size_t size) {
  const char* const end = data.data() + data.size();
  if (size == 0) return 0;
  if (data.size() >= 8) return Load64(end - 8) >> (64 - 8 * size);
  uint64_t word = 0;
  for (size_t i = 0; i < size; ++i) word |= Byte(end - size, i) << (8 * i);
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
    h ^= Scramble(Load32(data.data() + i));
    h = RotateLeft(h, 13) * 5 + 0xe6546b64U;
  }
  h ^= Scramble(static_cast<uint32_t>(LoadLast(data, data.size() - whole)));
  return Finish(h ^ static_cast<uint32_t>(data.size()));
}

Hash128 Murmur3Hash128(const leveldb::Slice& data, uint32_t seed) {
  const size_t whole = data.size() / 16 * 16;
  uint64_t h1 = seed;
  uint64_t h2 = seed;
  for (size_t i = 0; i < whole; i += 16) {
    h1 ^= ScrambleFirst(Load64(data.data() + i));
    h1 = (RotateLeft(h1, 27) + h2) * 5 + 0x52dce729U;
    h2 ^= ScrambleSecond(Load64(data.data() + i + 8));
    h2 = (RotateLeft(h2, 31) + h1) * 5 + 0x38495ab5U;
  }
  const size_t rest = data.size() - whole;
  if (rest >= 8) {
    h1 ^= ScrambleFirst(Load64(data.data() + whole));
    h2 ^= ScrambleSecond(LoadLast(data, rest - 8));
  } else {
    h1 ^= ScrambleFirst(LoadLast(data, rest));
  }
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
