// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/random.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/types.h>

#include <cstring>

#include "absl/strings/str_cat.h"

namespace shardingdb::crypto_internal {

absl::Status RandomBytes(char* data, size_t size) {
  while (size != 0) {
    const ssize_t got = getrandom(data, size, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      return absl::UnavailableError(
          absl::StrCat("getrandom: ", std::strerror(errno)));
    }
    data += got;
    size -= static_cast<size_t>(got);
  }
  return absl::OkStatus();
}

}  // namespace shardingdb::crypto_internal
