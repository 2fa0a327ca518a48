// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The one function of the crc32c library that LevelDB calls, on ISA-L.

#ifndef CRC32C_CRC32C_H_
#define CRC32C_CRC32C_H_

#include <cstddef>
#include <cstdint>

#include "isa-l/crc.h"

namespace crc32c {

// ISA-L's functions for AVX leave the upper halves of the vector registers in
// use. Until somebody clears them, every SSE instruction that follows, such as
// those of floating point, waits for them: together some 200 ns a checksum.
#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx"))) inline void ClearUpperHalvesWithAvx() {
  __builtin_ia32_vzeroupper();
}
inline void ClearUpperHalves() {
  static const bool has_avx = __builtin_cpu_supports("avx") != 0;
  if (has_avx) ClearUpperHalvesWithAvx();
}
#else
inline void ClearUpperHalves() {}
#endif

// Returns the CRC-32C of what `crc` covers followed by `count` bytes at `data`.
// ISA-L takes the length as an int, so longer input goes in pieces.
inline uint32_t Extend(uint32_t crc, const uint8_t* data, size_t count) {
  constexpr size_t kMaxPiece = size_t{1} << 30;
  while (count > 0) {
    const size_t piece = count < kMaxPiece ? count : kMaxPiece;
    // ISA-L only reads the data, but its signature says otherwise.
    crc =
        ~crc32_iscsi(const_cast<uint8_t*>(data), static_cast<int>(piece), ~crc);
    data += piece;
    count -= piece;
  }
  ClearUpperHalves();
  return crc;
}

}  // namespace crc32c

#endif  // CRC32C_CRC32C_H_
