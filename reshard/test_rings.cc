// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/test_rings.h"

#include <filesystem>

#include "absl/status/statusor.h"
#include "crypto/raw_kek.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

constexpr char kPlain[] = "plain";

}  // namespace

TestRings::TestRings() {
  EXPECT_OK(CreateRawKekFile(KekPath()));
  absl::StatusOr<std::unique_ptr<KekProvider>> kek = RawKekFromFile(KekPath());
  EXPECT_OK(kek.status());
  if (!kek.ok()) return;
  kek_ = *std::move(kek);
  for (const char* name : {"ring", "other"}) {
    absl::StatusOr<std::unique_ptr<KeyRingFile>> file =
        KeyRingFile::Create(dir_.Join(name), *kek_);
    EXPECT_OK(file.status());
    if (file.ok()) files_[name] = *std::move(file);
  }
}

KeyRingFile* TestRings::File(const std::string& form) const {
  return files_.at(form).get();
}

ValueCodec TestRings::Codec(const std::string& form) const {
  return form == kPlain ? ValueCodec() : SealedValues(*File(form));
}

std::string TestRings::Path(const std::string& form) const {
  return form == kPlain ? form : dir_.Join(form);
}

void TestRings::Rotate() {
  for (const auto& [name, file] : files_) EXPECT_OK(file->RotateDataKey().status());
}

Entries TestRings::Stored(const std::string& form,
                          const Entries& entries) const {
  if (form == kPlain) return entries;
  const ValueCodec codec = Codec(form);
  Entries stored;
  for (const auto& [key, value] : entries) {
    EXPECT_OK(codec.aead->Seal(value, key, &stored[key]));
  }
  return stored;
}

std::string TestRings::Opened(const std::string& key,
                              const std::string& stored) const {
  std::string value;
  for (const auto& [name, file] : files_) {
    if (file->ring()->Open(stored, key, &value).ok()) return value;
  }
  return stored;
}

ValueCodec TestCodec(const std::string& path) {
  if (path == kPlain) return ValueCodec();
  const std::string kek_path =
      (std::filesystem::path(path).parent_path() / "kek").string();
  const auto kek = RawKekFromFile(kek_path);
  if (!kek.ok()) return ValueCodec();
  const auto file = KeyRingFile::Open(path, **kek);
  return file.ok() ? SealedValues(**file) : ValueCodec();
}

}  // namespace shardingdb
