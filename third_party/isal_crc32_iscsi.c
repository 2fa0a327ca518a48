// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// ISA-L's crc32_iscsi() for a build without its assembly: the processor's
// instruction for CRC-32C where it has one, else ISA-L's portable table.

#include <stdint.h>
#include <string.h>

#include "crc.h"

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static unsigned int crc32_iscsi_sse42(
    const unsigned char* buffer, int len, unsigned int crc) {
  uint64_t state = crc;
  for (; len >= 8; len -= 8, buffer += 8) {
    uint64_t word;
    memcpy(&word, buffer, sizeof(word));
    state = __builtin_ia32_crc32di(state, word);
  }
  unsigned int result = (unsigned int)state;
  for (; len > 0; --len, ++buffer) {
    result = __builtin_ia32_crc32qi(result, *buffer);
  }
  return result;
}

unsigned int crc32_iscsi(unsigned char* buffer, int len, unsigned int crc) {
  return __builtin_cpu_supports("sse4.2") ? crc32_iscsi_sse42(buffer, len, crc)
                                          : crc32_iscsi_base(buffer, len, crc);
}

#else

unsigned int crc32_iscsi(unsigned char* buffer, int len, unsigned int crc) {
  return crc32_iscsi_base(buffer, len, crc);
}

#endif  // defined(__x86_64__)
