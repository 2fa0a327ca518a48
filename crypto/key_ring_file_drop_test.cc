// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// How keys end: rotation by policy, and dropping.

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "crypto/automatic_rotation.h"
#include "crypto/file_for_test.h"
#include "crypto/kek.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_file.h"
#include "crypto/raw_kek.h"
#include "crypto/replace_file.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using crypto_internal::ContentsOf;
using crypto_internal::PutFile;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using FilePtr = std::unique_ptr<KeyRingFile>;

absl::Status Unused() { return absl::OkStatus(); }

std::string Sealed(const KeyRing& ring) {
  std::string sealed;
  EXPECT_OK(ring.Seal("value", "", &sealed));
  return sealed;
}

absl::Status Opens(const KeyRing& ring, const std::string& sealed) {
  std::string text;
  return ring.Open(sealed, "", &text);
}

class KeyRingFileDropTest : public ::testing::Test {
 protected:
  KeyRingFileDropTest() {
    auto kek = NewRawKek(SecretBytes(std::string(32, 'k')));
    EXPECT_OK(kek);
    kek_ = *std::move(kek);
    auto file = KeyRingFile::Create(path_, *kek_);
    EXPECT_OK(file);
    file_ = *std::move(file);
    first_ = file_->ring()->primary_id();
  }

  FilePtr Open() {
    auto file = KeyRingFile::Open(path_, *kek_);
    EXPECT_OK(file);
    return file.ok() ? *std::move(file) : nullptr;
  }

  static KeyState StateOf(const KeyRingFile& file, uint32_t id) {
    for (const StoredKeyInfo& key : file.List()) {
      if (key.id == id) return key.state;
    }
    ADD_FAILURE() << "no key " << id;
    return KeyState::kEnabled;
  }

  const TempDir dir_;
  const std::string path_ = dir_.Join("KEYRING");
  std::unique_ptr<KekProvider> kek_;
  std::shared_ptr<KeyRingFile> file_;
  uint32_t first_ = 0;
};

TEST_F(KeyRingFileDropTest, ADroppedKeyIsGoneOnDiskAndInTheLiveRing) {
  const std::string old = Sealed(*file_->ring());
  const std::string before = ContentsOf(path_);
  ASSERT_OK(file_->RotateDataKey());
  const std::string now = Sealed(*file_->ring());
  ASSERT_OK(file_->Drop(first_, Unused));

  const FilePtr reopened = Open();
  for (const KeyRingFile* file : {file_.get(), reopened.get()}) {
    EXPECT_EQ(StateOf(*file, first_), KeyState::kDropped);
    EXPECT_THAT(
        Opens(*file->ring(), old),
        StatusIs(absl::StatusCode::kDataLoss, HasSubstr("unknown key id")));
    EXPECT_OK(Opens(*file->ring(), now));
    EXPECT_EQ(file->ring()->ExportKeys().size(), 1u);
  }
  // What was its wrapping is nowhere in the file.
  const size_t line = before.find("key ");
  const std::string wrapped =
      before.substr(before.find("primary ", line) + 8, 144);
  EXPECT_THAT(ContentsOf(path_), Not(HasSubstr(wrapped)));
  EXPECT_THAT(ContentsOf(path_), HasSubstr(" dropped -\n"));
}

TEST_F(KeyRingFileDropTest, WhatIsUsedIsNotDropped) {
  ASSERT_OK(file_->RotateDataKey());
  const std::string before = ContentsOf(path_);
  EXPECT_THAT(
      file_->Drop(first_,
                  [] { return absl::FailedPreconditionError("in use: a"); }),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr(path_), HasSubstr("is not dropped: in use"))));
  EXPECT_EQ(ContentsOf(path_), before);
  EXPECT_EQ(StateOf(*file_, first_), KeyState::kEnabled);
}

TEST_F(KeyRingFileDropTest, NeitherPrimaryNorUnknownNorTwice) {
  const auto never = [] {
    ADD_FAILURE() << "asked in vain";
    return absl::OkStatus();
  };
  EXPECT_THAT(file_->Drop(first_, never),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("is the primary and cannot be dropped")));
  EXPECT_THAT(file_->Drop(first_ + 1, never),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path_)));
  ASSERT_OK(file_->RotateDataKey());
  ASSERT_OK(file_->Disable(first_));  // a disabled one can go too
  ASSERT_OK(file_->Drop(first_, Unused));
  EXPECT_THAT(file_->Drop(first_, never),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("is dropped")));
  EXPECT_THAT(file_->Enable(first_), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(file_->Disable(first_), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(KeyRingFileDropTest, OthersLearnOfItAndDoNotTakeItForAnOlderFile) {
  ASSERT_OK(file_->RotateDataKey());
  const FilePtr other = Open();
  const std::string with_the_key = ContentsOf(path_);
  const std::string sealed = Sealed(*file_->ring());
  ASSERT_OK(file_->Drop(first_, Unused));
  EXPECT_EQ(StateOf(*other, first_), KeyState::kEnabled);
  ASSERT_OK(other->Reload());
  EXPECT_EQ(StateOf(*other, first_), KeyState::kDropped);
  EXPECT_OK(Opens(*other->ring(), sealed));
  ASSERT_OK(other->RotateDataKey());

  // Now an older file: the key is there again.
  PutFile(path_, with_the_key);
  EXPECT_THAT(file_->Reload(), StatusIs(absl::StatusCode::kDataLoss,
                                        HasSubstr("is there again")));
}

TEST_F(KeyRingFileDropTest, ARewrapKeepsWhatIsDropped) {
  ASSERT_OK(file_->RotateDataKey());
  ASSERT_OK(file_->Drop(first_, Unused));
  auto kek = NewRawKek(SecretBytes(std::string(32, 'n')));
  ASSERT_OK(kek);
  ASSERT_OK(file_->Rewrap(**kek));
  auto reopened = KeyRingFile::Open(path_, **kek);
  ASSERT_OK(reopened);
  EXPECT_EQ(StateOf(**reopened, first_), KeyState::kDropped);
  EXPECT_EQ((*reopened)->List().size(), 2u);
}

TEST_F(KeyRingFileDropTest, RotatesByAge) {
  RotationPolicy policy;
  policy.max_age = absl::Hours(24);
  const absl::Time now = absl::Now();
  EXPECT_THAT(file_->RotateIfDue(policy, now + absl::Hours(23)),
              IsOkAndHolds(false));
  EXPECT_EQ(file_->ring()->primary_id(), first_);
  EXPECT_THAT(file_->RotateIfDue(policy, now + absl::Hours(25)),
              IsOkAndHolds(true));
  EXPECT_NE(file_->ring()->primary_id(), first_);
  EXPECT_THAT(file_->RotateIfDue(RotationPolicy(), now + absl::Hours(1000)),
              IsOkAndHolds(false));
}

TEST_F(KeyRingFileDropTest, RotatesByBytesSealed) {
  RotationPolicy policy;
  policy.max_bytes_sealed = 1 << 20;
  const std::string text(100000, 't');
  std::string sealed;
  ASSERT_OK(file_->ring()->Seal(text, "", &sealed));
  EXPECT_THAT(file_->RotateIfDue(policy), IsOkAndHolds(false));
  for (int i = 0; i < 10; ++i)
    ASSERT_OK(file_->ring()->Seal(text, "", &sealed));
  EXPECT_GE(file_->ring()->BytesSealed(first_), 1u << 20);
  EXPECT_THAT(file_->RotateIfDue(policy), IsOkAndHolds(true));
  EXPECT_THAT(file_->RotateIfDue(policy), IsOkAndHolds(false));
}

TEST_F(KeyRingFileDropTest, TwoThatFindItDueRotateOnce) {
  const FilePtr other = Open();
  RotationPolicy policy;
  policy.max_age = absl::Hours(24);
  const absl::Time later = absl::Now() + absl::Hours(25);
  EXPECT_THAT(file_->RotateIfDue(policy, later), IsOkAndHolds(true));
  EXPECT_THAT(other->RotateIfDue(policy, later), IsOkAndHolds(true));
  EXPECT_EQ(other->List().size(), 2u);
  EXPECT_EQ(other->ring()->primary_id(), file_->ring()->primary_id());
}

TEST_F(KeyRingFileDropTest, RotatesByItself) {
  RotationPolicy policy;
  policy.max_bytes_sealed = 1 << 20;
  absl::Notification rotated;
  std::atomic<uint32_t> id{0};
  {
    const AutomaticRotation rotation(
        file_, policy,
        [&](const absl::StatusOr<uint32_t>& result) {
          ASSERT_OK(result);
          id.store(*result);
          if (!rotated.HasBeenNotified()) rotated.Notify();
        },
        absl::Milliseconds(1));
    std::string sealed;
    ASSERT_OK(file_->ring()->Seal(std::string(1 << 20, 't'), "", &sealed));
    rotated.WaitForNotification();
  }
  EXPECT_NE(id.load(), first_);
  EXPECT_EQ(file_->ring()->primary_id(), id.load());
}

TEST_F(KeyRingFileDropTest, AFailedRotationIsReportedAndTriedAgain) {
  RotationPolicy policy;
  policy.max_age = absl::ZeroDuration();
  std::atomic<bool> fail{true};
  file_->SetFaultForTest(
      [&](crypto_internal::FileStep) { return fail.load() ? ENOSPC : 0; });
  absl::Notification failed;
  absl::Notification rotated;
  {
    const AutomaticRotation rotation(
        file_, policy,
        [&](const absl::StatusOr<uint32_t>& result) {
          if (!result.ok()) {
            EXPECT_THAT(result.status(),
                        StatusIs(absl::StatusCode::kResourceExhausted));
            fail.store(false);
            if (!failed.HasBeenNotified()) failed.Notify();
          } else if (!rotated.HasBeenNotified()) {
            rotated.Notify();
          }
        },
        absl::Milliseconds(1));
    failed.WaitForNotification();
    rotated.WaitForNotification();
  }
  EXPECT_NE(file_->ring()->primary_id(), first_);
}

}  // namespace
}  // namespace shardingdb
