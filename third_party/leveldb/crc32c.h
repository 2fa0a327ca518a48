// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The one function of the crc32c library that LevelDB calls, on ISA-L.

#ifndef CRC32C_CRC32C_H_
#define CRC32C_CRC32C_H_

#include <cstddef>
#include <cstdint>

#include "isa-l/crc.h"

namespace crc32c {

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
  return crc;
}

}  // namespace crc32c

#endif  // CRC32C_CRC32C_H_
