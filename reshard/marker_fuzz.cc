// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Any bytes as the marker of a reshard: as they are, and with a checksum that
// is right, which else would stop nearly all of them.

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "reshard/marker.h"
#include "testing/fuzz_target.h"
#include "testing/right_checksum.h"

namespace shardingdb {
namespace {

bool AreSame(const Marker& a, const Marker& b) {
  return a.run == b.run && a.command == b.command && a.finished == b.finished &&
         a.contents == b.contents;
}

std::string Check(absl::string_view input) {
  const absl::StatusOr<Marker> marker = ParseMarker(input);
  if (!marker.ok()) {
    return absl::IsDataLoss(marker.status()) ||
                   absl::IsFailedPrecondition(marker.status())
               ? ""
               : absl::StrCat("another code: ", marker.status().ToString());
  }
  const absl::StatusOr<Marker> again = ParseMarker(EncodeMarker(*marker));
  if (!again.ok()) return again.status().ToString();
  return AreSame(*again, *marker) ? "" : "was read back as another one";
}

}  // namespace

std::string FuzzOne(absl::string_view input) {
  const std::string error = Check(input);
  return error.empty() ? Check(WithRightChecksum(input)) : error;
}

}  // namespace shardingdb
