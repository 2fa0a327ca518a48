// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a key ring file, opened with the raw KEK of the golden one: as
// they are, and with a checksum that is right.

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/file_for_test.h"
#include "crypto/golden_key_ring_for_test.h"
#include "crypto/kek.h"
#include "crypto/key_ring_file.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "testing/fuzz_target.h"
#include "testing/right_checksum.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

const KekProvider& Kek() {
  static const KekProvider* const kek = [] {
    absl::StatusOr<std::unique_ptr<KekProvider>> made =
        NewRawKek(SecretBytes(crypto_internal::CountingBytes(0xe0, 32)));
    if (!made.ok()) std::abort();
    return made->release();
  }();
  return *kek;
}

std::string Check(const std::string& input) {
  static const TempDir dir;
  const std::string path = dir.Join("KEYRING");
  crypto_internal::PutFile(path, input);
  const absl::StatusOr<std::unique_ptr<KeyRingFile>> file =
      KeyRingFile::Open(path, Kek());
  if (file.ok()) {
    // The only ring that was ever sealed under this KEK.
    return input == crypto_internal::kGoldenRawRing
               ? ""
               : "opened what was not sealed";
  }
  if (input == crypto_internal::kGoldenRawRing) {
    return file.status().ToString();
  }
  switch (file.status().code()) {
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnimplemented:
      break;
    default:
      return absl::StrCat("another code: ", file.status().ToString());
  }
  return absl::StartsWith(file.status().message(), path + ": ")
             ? ""
             : absl::StrCat("no path: ", file.status().ToString());
}

}  // namespace

std::string FuzzOne(absl::string_view input) {
  const std::string error = Check(std::string(input));
  return error.empty() ? Check(WithRightChecksum(input)) : error;
}

}  // namespace shardingdb
