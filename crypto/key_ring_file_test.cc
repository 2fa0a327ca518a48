// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/key_ring_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "crypto/file_for_test.h"
#include "crypto/file_lock.h"
#include "crypto/hex.h"
#include "crypto/kek.h"
#include "crypto/key_ring.h"
#include "crypto/passphrase_kek.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using crypto_internal::ContentsOf;
using crypto_internal::FileLock;
using crypto_internal::ModeOf;
using crypto_internal::NamesIn;
using crypto_internal::PutFile;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using FilePtr = std::unique_ptr<KeyRingFile>;
using KekPtr = std::unique_ptr<KekProvider>;

KekPtr Kek(char c) {
  absl::StatusOr<KekPtr> kek = NewRawKek(SecretBytes(std::string(32, c)));
  EXPECT_OK(kek);
  return *std::move(kek);
}

std::string Sealed(const KeyRing& ring, const std::string& text) {
  std::string sealed;
  EXPECT_OK(ring.Seal(text, "", &sealed));
  return sealed;
}

absl::StatusOr<std::string> Opened(const KeyRing& ring,
                                   const std::string& sealed) {
  std::string text;
  const absl::Status status = ring.Open(sealed, "", &text);
  if (!status.ok()) return status;
  return text;
}

class KeyRingFileTest : public ::testing::Test {
 protected:
  FilePtr Create() {
    absl::StatusOr<FilePtr> file = KeyRingFile::Create(path_, *kek_);
    EXPECT_OK(file);
    return *std::move(file);
  }
  absl::StatusOr<FilePtr> Open() { return KeyRingFile::Open(path_, *kek_); }

  // All ids, those of disabled keys negative, that of the primary last.
  static std::vector<int64_t> Ids(const KeyRingFile& file) {
    std::vector<int64_t> ids;
    for (const StoredKeyInfo& key : file.List()) {
      EXPECT_EQ(key.primary, key.id == file.ring()->primary_id());
      ids.push_back(key.state == KeyState::kEnabled ? int64_t{key.id}
                                                    : -int64_t{key.id});
    }
    return ids;
  }

  TempDir dir_;
  const std::string path_ = dir_.Join("KEYRING");
  const KekPtr kek_ = Kek('k');
};

TEST_F(KeyRingFileTest, WhatIsCreatedOpensAgain) {
  const absl::Time before = absl::Now() - absl::Seconds(1);
  const FilePtr created = Create();
  EXPECT_EQ(ModeOf(path_), 0600u);
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("KEYRING"));
  ASSERT_EQ(created->List().size(), 1u);
  EXPECT_TRUE(created->List()[0].primary);
  EXPECT_GE(created->List()[0].created, before);
  EXPECT_LE(created->List()[0].created, absl::Now());
  const std::string sealed = Sealed(*created->ring(), "value");
  ASSERT_OK_AND_ASSIGN(const FilePtr opened, Open());
  EXPECT_EQ(Ids(*opened), Ids(*created));
  EXPECT_THAT(Opened(*opened->ring(), sealed), IsOkAndHolds("value"));
}

TEST_F(KeyRingFileTest, TheRingMayOutliveTheFile) {
  std::shared_ptr<const KeyRing> ring = Create()->ring();
  EXPECT_THAT(Opened(*ring, Sealed(*ring, "value")), IsOkAndHolds("value"));
}

TEST_F(KeyRingFileTest, CreateLeavesWhatIsThere) {
  PutFile(path_, "something");
  EXPECT_THAT(KeyRingFile::Create(path_, *kek_),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr(path_)));
  EXPECT_EQ(ContentsOf(path_), "something");
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("KEYRING"));
}

TEST_F(KeyRingFileTest, KeysThatLivedInMemoryMoveToDisk) {
  std::vector<DataKey> keys(3);
  for (uint32_t i = 0; i < 3; ++i) {
    keys[i].id = i + 1;
    keys[i].key = SecretBytes(std::string(32, static_cast<char>('a' + i)));
  }
  keys[2].state = KeyState::kDisabled;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<KeyRing> ring,
                       KeyRing::FromKeys(std::move(keys), 2));
  ASSERT_OK_AND_ASSIGN(const FilePtr file,
                       KeyRingFile::Create(path_, *kek_, *ring));
  EXPECT_THAT(Ids(*file), ElementsAre(1, 2, -3));
  EXPECT_EQ(file->ring()->primary_id(), 2u);
  EXPECT_THAT(Opened(*file->ring(), Sealed(*ring, "value")),
              IsOkAndHolds("value"));
}

TEST_F(KeyRingFileTest, RotateAddsAPrimaryOnDiskAndInTheLiveRing) {
  const FilePtr file = Create();
  const uint32_t first = file->ring()->primary_id();
  const std::string old_value = Sealed(*file->ring(), "old");
  ASSERT_OK_AND_ASSIGN(const uint32_t second, file->RotateDataKey());
  ASSERT_OK_AND_ASSIGN(const uint32_t third, file->RotateDataKey());
  EXPECT_THAT(Ids(*file), ElementsAre(first, second, third));
  EXPECT_EQ(file->ring()->primary_id(), third);
  EXPECT_THAT(Opened(*file->ring(), old_value), IsOkAndHolds("old"));
  const std::string new_value = Sealed(*file->ring(), "new");
  ASSERT_OK_AND_ASSIGN(const FilePtr opened, Open());
  EXPECT_EQ(Ids(*opened), Ids(*file));
  EXPECT_THAT(Opened(*opened->ring(), old_value), IsOkAndHolds("old"));
  EXPECT_THAT(Opened(*opened->ring(), new_value), IsOkAndHolds("new"));
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("KEYRING"));
  EXPECT_EQ(ModeOf(path_), 0600u);
}

TEST_F(KeyRingFileTest, DisableAndEnable) {
  const FilePtr file = Create();
  const uint32_t first = file->ring()->primary_id();
  const std::string value = Sealed(*file->ring(), "value");
  EXPECT_THAT(file->Disable(first),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(path_), HasSubstr("primary"))));
  ASSERT_OK_AND_ASSIGN(const uint32_t second, file->RotateDataKey());
  ASSERT_OK(file->Disable(first));
  ASSERT_OK(file->Disable(first));
  EXPECT_THAT(Ids(*file), ElementsAre(-int64_t{first}, second));
  ASSERT_OK_AND_ASSIGN(const FilePtr opened, Open());
  for (const KeyRingFile* each : {file.get(), opened.get()}) {
    EXPECT_THAT(Opened(*each->ring(), value),
                StatusIs(absl::StatusCode::kFailedPrecondition));
  }
  ASSERT_OK(opened->Enable(first));
  EXPECT_THAT(Opened(*opened->ring(), value), IsOkAndHolds("value"));
  for (const absl::Status& status :
       {file->Disable(first + 1), file->Enable(first + 1)}) {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound,
                                 HasSubstr("is not in the ring")));
  }
}

TEST_F(KeyRingFileTest, AWrongKekIsItsOwnError) {
  Create();
  EXPECT_THAT(KeyRingFile::Open(path_, *Kek('x')),
              StatusIs(absl::StatusCode::kPermissionDenied,
                       AllOf(HasSubstr(path_), HasSubstr("wrong key"))));
  ASSERT_OK_AND_ASSIGN(const KekPtr passphrase,
                       NewPassphraseKek(SecretBytes("p"), {2, 1, 1}));
  EXPECT_THAT(
      KeyRingFile::Open(path_, *passphrase),
      StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("wrong key")));
}

TEST_F(KeyRingFileTest, RewrapChangesTheKekAndNothingElse) {
  const FilePtr file = Create();
  ASSERT_OK(file->RotateDataKey());
  const std::vector<int64_t> ids = Ids(*file);
  const std::string value = Sealed(*file->ring(), "value");
  const KekPtr other = Kek('o');
  ASSERT_OK(file->Rewrap(*other));
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kPermissionDenied,
                               HasSubstr("wrong key")));
  ASSERT_OK_AND_ASSIGN(const FilePtr opened, KeyRingFile::Open(path_, *other));
  EXPECT_EQ(Ids(*opened), ids);
  EXPECT_THAT(Opened(*opened->ring(), value), IsOkAndHolds("value"));
  // The one that rewrapped goes on.
  ASSERT_OK(file->RotateDataKey());
  EXPECT_EQ(Ids(*file).size(), 3u);
  ASSERT_OK(opened->Reload());
  EXPECT_EQ(Ids(*opened), Ids(*file));
}

TEST_F(KeyRingFileTest, RewrapUnderTheSameKekLeavesNoOldWrapping) {
  const FilePtr file = Create();
  const std::string before = ContentsOf(path_);
  ASSERT_OK(file->Rewrap(*kek_));
  const std::string after = ContentsOf(path_);
  const auto kek_line = [](const std::string& text) {
    return text.substr(text.find("kek "), 100);
  };
  const auto key_end = [](const std::string& text) {
    return text.substr(text.find("seal ") - 100, 100);
  };
  EXPECT_NE(kek_line(before), kek_line(after));
  EXPECT_NE(key_end(before), key_end(after));
  EXPECT_OK(Open());
}

TEST_F(KeyRingFileTest, WhatOthersChangedComesWithTheNextChangeOrReload) {
  const FilePtr here = Create();
  const uint32_t first = here->ring()->primary_id();
  ASSERT_OK_AND_ASSIGN(const FilePtr there, Open());
  ASSERT_OK_AND_ASSIGN(const uint32_t second, there->RotateDataKey());
  ASSERT_OK(there->Disable(first));
  EXPECT_THAT(Ids(*here), ElementsAre(first));
  ASSERT_OK_AND_ASSIGN(const uint32_t third, here->RotateDataKey());
  EXPECT_THAT(Ids(*here), ElementsAre(-int64_t{first}, second, third));
  EXPECT_THAT(Opened(*here->ring(), Sealed(*there->ring(), "value")),
              IsOkAndHolds("value"));
  EXPECT_EQ(there->ring()->primary_id(), second);
  ASSERT_OK(there->Reload());
  EXPECT_EQ(there->ring()->primary_id(), third);
  EXPECT_EQ(Ids(*there), Ids(*here));
  // The primary of one may be what the other disables.
  ASSERT_OK_AND_ASSIGN(const uint32_t fourth, there->RotateDataKey());
  ASSERT_OK(there->Disable(third));
  ASSERT_OK(here->Reload());
  EXPECT_EQ(here->ring()->primary_id(), fourth);
  EXPECT_EQ(Ids(*there), Ids(*here));
}

TEST_F(KeyRingFileTest, OneChangeAtATime) {
  const FilePtr file = Create();
  const std::string before = ContentsOf(path_);
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<FileLock> lock,
                         FileLock::Take(path_));
    EXPECT_THAT(file->RotateDataKey(),
                StatusIs(absl::StatusCode::kAborted,
                         "another process is changing " + path_));
    EXPECT_THAT(file->Rewrap(*Kek('o')), StatusIs(absl::StatusCode::kAborted));
    EXPECT_EQ(ContentsOf(path_), before);
    EXPECT_EQ(file->List().size(), 1u);
    // Readers go on.
    EXPECT_OK(Open());
    EXPECT_OK(file->Reload());
  }
  EXPECT_OK(file->RotateDataKey());
}

TEST_F(KeyRingFileTest, RewrappedElsewhereHasToBeOpenedAgain) {
  const FilePtr here = Create();
  ASSERT_OK_AND_ASSIGN(const FilePtr there, Open());
  ASSERT_OK(there->Rewrap(*Kek('o')));
  for (const absl::Status& status :
       {here->Reload(), here->RotateDataKey().status(), here->Disable(1)}) {
    EXPECT_THAT(status,
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(path_), HasSubstr("rewrapped"))));
  }
  const std::string value = Sealed(*here->ring(), "value");
  EXPECT_THAT(Opened(*there->ring(), value), IsOkAndHolds("value"));
}

TEST_F(KeyRingFileTest, AnotherRingInItsPlaceIsNotChanged) {
  const FilePtr file = Create();
  ASSERT_OK(KeyRingFile::Create(dir_.Join("other"), *kek_));
  const std::string other = ContentsOf(dir_.Join("other"));
  PutFile(path_, other);
  for (const absl::Status& status :
       {file->Reload(), file->RotateDataKey().status()}) {
    EXPECT_THAT(status,
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(path_), HasSubstr("another ring"))));
  }
  EXPECT_EQ(ContentsOf(path_), other);
}

TEST_F(KeyRingFileTest, AnOlderFileInItsPlaceIsNoticed) {
  const FilePtr file = Create();
  const std::string older = ContentsOf(path_);
  ASSERT_OK(file->RotateDataKey());
  PutFile(path_, older);
  for (const absl::Status& status :
       {file->Reload(), file->RotateDataKey().status()}) {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kDataLoss,
                                 AllOf(HasSubstr(path_), HasSubstr("older"))));
  }
  // Nothing is lost yet: the live ring can be saved.
  EXPECT_OK(KeyRingFile::Create(dir_.Join("saved"), *kek_, *file->ring()));
}

TEST_F(KeyRingFileTest, LostEmptyAndSwappedFiles) {
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kNotFound, HasSubstr(path_)));
  PutFile(path_, "");
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kDataLoss,
                               AllOf(HasSubstr(path_), HasSubstr("empty"))));
  PutFile(path_, std::string(32, 'k'));
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kDataLoss,
                               AllOf(HasSubstr("not a key ring"),
                                     Not(HasSubstr("kkkk")))));
  EXPECT_THAT(KeyRingFile::Open(dir_.path(), *kek_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("not a regular file")));
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  const FilePtr file = Create();
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  for (const absl::Status& status :
       {file->Reload(), file->RotateDataKey().status()}) {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound));
  }
}

TEST_F(KeyRingFileTest, ARingOfAnotherOwnerOpensAsThatRing) {
  // Under one KEK two rings that changed places both open; it is the id of the
  // sealed value's key that tells.
  const FilePtr file = Create();
  const std::string value = Sealed(*file->ring(), "value");
  ASSERT_OK_AND_ASSIGN(const FilePtr other,
                       KeyRingFile::Create(dir_.Join("other"), *kek_));
  EXPECT_THAT(
      Opened(*other->ring(), value),
      StatusIs(absl::StatusCode::kDataLoss, HasSubstr("unknown key id")));
}

TEST_F(KeyRingFileTest, AFileThatOthersMayUseIsRefused) {
  const FilePtr file = Create();
  for (const ::mode_t mode : {0640, 0604, 0660}) {
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    for (const absl::Status& status :
         {Open().status(), file->Reload(), file->RotateDataKey().status()}) {
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition,
                                   HasSubstr("run: chmod 600 " + path_)));
    }
  }
  ASSERT_EQ(::chmod(path_.c_str(), 0600), 0);
  EXPECT_OK(Open());
}

TEST_F(KeyRingFileTest, ANewerFormatIsNotDamage) {
  PutFile(path_, "shardingdb-keyring 2\nsomething new\n");
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kUnimplemented,
                               AllOf(HasSubstr(path_), HasSubstr("older"))));
}

TEST_F(KeyRingFileTest, ThroughALinkTheFileIsReplacedAndTheLinkStays) {
  Create();
  const std::string link = dir_.Join("link");
  ASSERT_EQ(::symlink("KEYRING", link.c_str()), 0);
  ASSERT_OK_AND_ASSIGN(const FilePtr file, KeyRingFile::Open(link, *kek_));
  ASSERT_OK(file->RotateDataKey());
  struct ::stat found;
  ASSERT_EQ(::lstat(link.c_str(), &found), 0);
  EXPECT_TRUE(S_ISLNK(found.st_mode));
  ASSERT_OK_AND_ASSIGN(const FilePtr opened, Open());
  EXPECT_EQ(Ids(*opened).size(), 2u);
}

TEST_F(KeyRingFileTest, TheFileHoldsNoKeyInClear) {
  const FilePtr file = Create();
  ASSERT_OK(file->RotateDataKey());
  const std::string text = ContentsOf(path_);
  for (const DataKey& key : file->ring()->ExportKeys()) {
    const std::string secret(key.key.reveal());
    EXPECT_THAT(text, Not(HasSubstr(secret)));
    EXPECT_THAT(text, Not(HasSubstr(crypto_internal::EncodeHex(secret))));
  }
}

TEST_F(KeyRingFileTest, LeftoverTemporaryFilesAreHarmless) {
  const FilePtr file = Create();
  PutFile(path_ + ".tmp", "half of someth", 0644);
  PutFile(path_ + ".tmp.0123456789abcdef", "half of someth");
  EXPECT_OK(Open());
  EXPECT_OK(file->RotateDataKey());
  EXPECT_EQ(ModeOf(path_), 0600u);
  EXPECT_EQ(NamesIn(dir_.path()).count("KEYRING.tmp"), 0u);
}

}  // namespace
}  // namespace shardingdb
