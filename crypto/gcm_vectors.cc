// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs a file of AES-GCM test vectors through the AES-GCM of this repository.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/gcm_vector_check.h"
#include "crypto/gcm_vector_file.h"

namespace {

using shardingdb::crypto_internal::CheckGcmVector;
using shardingdb::crypto_internal::GcmPath;
using shardingdb::crypto_internal::GcmVector;
using shardingdb::crypto_internal::GcmVectorResult;
using shardingdb::crypto_internal::ParseGcmVectors;

constexpr char kUsage[] =
    "usage: bazel run //crypto:gcm_vectors -- FILE\n"
    "Runs the AES-GCM test vectors of FILE, which is in the JSON format of\n"
    "Project Wycheproof (aes_gcm_test.json), each in both directions.\n"
    "Exit codes: 0 all passed, 1 one failed or there were none, 2 FILE is not\n"
    "such a file.\n";

constexpr int kAllPassed = 0;
constexpr int kFailed = 1;
constexpr int kUnusable = 2;

absl::StatusOr<std::vector<GcmVector>> ReadVectors(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return absl::NotFoundError("there is no such file");
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return absl::UnavailableError("it cannot be read");
  return ParseGcmVectors(text.str());
}

int Run(const std::vector<GcmVector>& vectors) {
  size_t failed = 0;
  std::map<GcmPath, size_t> through;
  for (const GcmVector& vector : vectors) {
    const GcmVectorResult result = CheckGcmVector(vector);
    ++through[result.path];
    if (result.error.empty()) continue;
    ++failed;
    std::printf("FAILED: tcId %lld (%s): %s\n",
                static_cast<long long>(vector.id),  // NOLINT: printf's type
                vector.comment.c_str(), result.error.c_str());
  }
  std::printf(
      "%zu through AES-256-GCM, which values are sealed with (keys of 256 "
      "bits, nonces of 96, tags of 128)\n"
      "%zu through Crypto++'s GCM, on which that stands (other sizes; "
      "AES-256-GCM refused each)\n",
      through[GcmPath::kAes256Gcm], through[GcmPath::kLibrary]);
  if (through[GcmPath::kOwnCounter] != 0) {
    std::printf(
        "%zu through Crypto++'s AES and GHASH with a counter of our own (other "
        "sizes; nonces for which Crypto++'s GCM counts wrongly, see "
        "docs/dependencies.md)\n",
        through[GcmPath::kOwnCounter]);
  }
  std::printf("%zu passed, %zu failed\n", vectors.size() - failed, failed);
  return failed == 0 && !vectors.empty() ? kAllPassed : kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string argument = argc == 2 ? argv[1] : "";
  if (argument == "--help" || argument == "-h") {
    std::fputs(kUsage, stdout);
    return kAllPassed;
  }
  if (argument.empty() || argument[0] == '-') {
    std::fputs(kUsage, stderr);
    return kUnusable;
  }
  std::filesystem::path path = argument;
  // Set by `bazel run`, which runs the program somewhere else.
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder != nullptr) path = folder / path;

  const absl::StatusOr<std::vector<GcmVector>> vectors =
      ReadVectors(path.string());
  if (!vectors.ok()) {
    std::fprintf(stderr, "gcm_vectors: %s: %s\n", argument.c_str(),
                 std::string(vectors.status().message()).c_str());
    return kUnusable;
  }
  const int code = Run(*vectors);
  // Whoever waits for the result has not got it.
  return std::fflush(stdout) == 0 ? code : kUnusable;
}
