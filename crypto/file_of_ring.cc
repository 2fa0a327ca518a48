// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/file_of_ring.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

namespace shardingdb::crypto_internal {
namespace {

// Without symbolic links and dots, as far as it is there.
std::string Canonical(const std::string& path) {
  std::error_code error;
  const std::filesystem::path canonical =
      std::filesystem::weakly_canonical(path, error);
  if (error) return path;
  // A relative path of which nothing is there stays relative.
  const std::filesystem::path absolute =
      std::filesystem::absolute(canonical, error);
  return error ? canonical.string() : absolute.string();
}

bool IsSame(const std::string& a, const std::string& b) {
  struct ::stat of_a;
  struct ::stat of_b;
  if (::stat(a.c_str(), &of_a) == 0 && ::stat(b.c_str(), &of_b) == 0) {
    return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
  }
  return Canonical(a) == Canonical(b);
}

}  // namespace

bool IsFileOfRing(const std::string& path, const std::string& ring) {
  // A KeyRingFile follows the links of its path before it changes the file.
  return IsSame(path, ring) || IsSame(path, Canonical(ring) + ".tmp");
}

}  // namespace shardingdb::crypto_internal
