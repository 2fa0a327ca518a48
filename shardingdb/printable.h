// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_PRINTABLE_H_
#define SHARDINGDB_PRINTABLE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace shardingdb {

// Returns `text`, which a damaged file or a file name may have brought, as
// UTF-8 that does nothing to a terminal: each byte of a control character, and
// each that is not part of UTF-8, is written as "\x1b". All else stays as it
// is, backslashes too, so doing it twice changes nothing.
std::string Printable(absl::string_view text);

}  // namespace shardingdb

#endif  // SHARDINGDB_PRINTABLE_H_
