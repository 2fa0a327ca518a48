// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What goes wrong while a key ring file is changed: the old ring or the new one
// is there afterwards, and nothing is sealed under a key that is not on disk.

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
using crypto_internal::FileStep;
using crypto_internal::NamesIn;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using FilePtr = std::unique_ptr<KeyRingFile>;
using KekPtr = std::unique_ptr<KekProvider>;

constexpr FileStep kSteps[] = {FileStep::kCreate, FileStep::kWrite,
                               FileStep::kSync, FileStep::kRename,
                               FileStep::kSyncFolder};

KekPtr Kek(char c) {
  absl::StatusOr<KekPtr> kek = NewRawKek(SecretBytes(std::string(32, c)));
  EXPECT_OK(kek);
  return *std::move(kek);
}

class KeyRingFileFaultsTest : public ::testing::Test {
 protected:
  KeyRingFileFaultsTest() {
    absl::StatusOr<FilePtr> file = KeyRingFile::Create(path_, *kek_);
    EXPECT_OK(file);
    file_ = *std::move(file);
  }

  FilePtr Open(const KekProvider& kek) {
    absl::StatusOr<FilePtr> file = KeyRingFile::Open(path_, kek);
    EXPECT_OK(file);
    return *std::move(file);
  }

  // Calls `change` in another process, which ends at once before `step`.
  void DieAt(FileStep step,
             const std::function<absl::Status(KeyRingFile*)>& change) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      file_->SetFaultForTest([step](FileStep at) {
        if (at == step) ::_exit(77);
        return 0;
      });
      ::_exit(change(file_.get()).ok() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_EQ(WEXITSTATUS(status), 77);
  }

  TempDir dir_;
  const std::string path_ = dir_.Join("KEYRING");
  const KekPtr kek_ = Kek('k');
  FilePtr file_;
};

TEST_F(KeyRingFileFaultsTest, AnErrorInAnyStepOfRotateLeavesTheLiveRing) {
  for (const FileStep step : kSteps) {
    const uint32_t primary = file_->ring()->primary_id();
    const std::string before = ContentsOf(path_);
    const size_t keys = file_->List().size();
    file_->SetFaultForTest(
        [step](FileStep at) { return at == step ? ENOSPC : 0; });
    EXPECT_THAT(
        file_->RotateDataKey(),
        StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr(path_)));
    EXPECT_EQ(file_->ring()->primary_id(), primary);
    EXPECT_EQ(file_->List().size(), keys);
    EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("KEYRING"));
    EXPECT_EQ(ContentsOf(path_) == before, step != FileStep::kSyncFolder);
    // Whatever is there opens, and holds the key that is live.
    const FilePtr opened = Open(*kek_);
    std::string sealed;
    std::string text;
    ASSERT_OK(file_->ring()->Seal("value", "", &sealed));
    EXPECT_OK(opened->ring()->Open(sealed, "", &text));
    file_->SetFaultForTest(nullptr);
    ASSERT_OK_AND_ASSIGN(const uint32_t id, file_->RotateDataKey());
    EXPECT_EQ(file_->ring()->primary_id(), id);
  }
}

TEST_F(KeyRingFileFaultsTest, AnErrorInAnyStepOfARewrapLeavesOneKekThatOpens) {
  for (const FileStep step : kSteps) {
    file_->SetFaultForTest(
        [step](FileStep at) { return at == step ? EIO : 0; });
    EXPECT_THAT(file_->Rewrap(*Kek('n')),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr(path_)));
    file_->SetFaultForTest(nullptr);
    if (step == FileStep::kSyncFolder) {
      Open(*Kek('n'));
      // Which of the two it will be after a power failure is not known.
      EXPECT_THAT(file_->RotateDataKey(),
                  StatusIs(absl::StatusCode::kFailedPrecondition,
                           HasSubstr("open it again")));
    } else {
      Open(*kek_);
      EXPECT_OK(file_->RotateDataKey());
    }
  }
}

TEST_F(KeyRingFileFaultsTest, AKillInAnyStepLeavesARingThatGoesOn) {
  for (const FileStep step : kSteps) {
    const size_t keys = file_->List().size();
    DieAt(step,
          [](KeyRingFile* file) { return file->RotateDataKey().status(); });
    const FilePtr opened = Open(*kek_);
    EXPECT_EQ(opened->List().size(),
              keys + (step == FileStep::kSyncFolder ? 1 : 0));
    // The lock went with the process.
    EXPECT_OK(file_->RotateDataKey());
    EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("KEYRING"));
  }
}

TEST_F(KeyRingFileFaultsTest, AFullDiskInTheMiddleOfARotateLeavesTheOldRing) {
  const std::string before = ContentsOf(path_);
  const uint32_t primary = file_->ring()->primary_id();
  struct ::rlimit unlimited;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  struct ::rlimit little = unlimited;
  // Enough for the ring as it is.
  little.rlim_cur = before.size() + 10;
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const absl::Status rotated = file_->RotateDataKey().status();
  const absl::Status rewrapped = file_->Rewrap(*Kek('n'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_THAT(rotated,
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr(path_)));
  EXPECT_OK(rewrapped);
  EXPECT_EQ(file_->ring()->primary_id(), primary);
  EXPECT_EQ(Open(*Kek('n'))->ring()->primary_id(), primary);
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("KEYRING"));
  EXPECT_OK(file_->RotateDataKey());
}

TEST_F(KeyRingFileFaultsTest, AFullDiskLeavesNoNewRing) {
  struct ::rlimit unlimited;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  struct ::rlimit little = unlimited;
  little.rlim_cur = 100;
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const absl::Status created =
      KeyRingFile::Create(dir_.Join("other"), *kek_).status();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_THAT(created, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("KEYRING"));
}

TEST_F(KeyRingFileFaultsTest, AChangeInTheMiddleOfAnotherIsRefused) {
  const FilePtr other = Open(*kek_);
  for (const FileStep step : kSteps) {
    absl::Status refused;
    file_->SetFaultForTest([&, step](FileStep at) {
      if (at == step) refused = other->RotateDataKey().status();
      return 0;
    });
    const size_t keys = file_->List().size();
    ASSERT_OK(file_->RotateDataKey());
    file_->SetFaultForTest(nullptr);
    if (step == FileStep::kSyncFolder) {
      // The new file is there, whole and free to be changed.
      EXPECT_OK(refused);
      ASSERT_OK(file_->Reload());
      EXPECT_EQ(file_->List().size(), keys + 2);
    } else {
      EXPECT_THAT(refused, StatusIs(absl::StatusCode::kAborted,
                                    "another process is changing " + path_));
      EXPECT_EQ(file_->List().size(), keys + 1);
    }
  }
}

TEST_F(KeyRingFileFaultsTest, ProcessesThatRotateAtOnceLoseNoKey) {
  constexpr int kProcesses = 4;
  constexpr int kTries = 30;
  pid_t pids[kProcesses];
  for (pid_t& pid : pids) {
    pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid != 0) continue;
    // Ends with the number of its rotations.
    int rotations = 0;
    for (int i = 0; i < kTries; ++i) {
      const absl::Status status = file_->RotateDataKey().status();
      if (status.ok()) {
        ++rotations;
      } else if (!absl::IsAborted(status)) {
        ::_exit(255);
      }
    }
    ::_exit(rotations);
  }
  size_t keys = 1;
  for (const pid_t pid : pids) {
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_LE(WEXITSTATUS(status), kTries);
    keys += static_cast<size_t>(WEXITSTATUS(status));
  }
  EXPECT_GT(keys, 1u);
  EXPECT_EQ(Open(*kek_)->List().size(), keys);
  ASSERT_OK(file_->Reload());
  EXPECT_EQ(file_->List().size(), keys);
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("KEYRING"));
}

// As a service whose user may encrypt and not decrypt.
class WrapOnlyKek final : public KekProvider {
 public:
  absl::StatusOr<std::string> Wrap(const SecretBytes& secret,
                                   absl::string_view context) const override {
    return kek_->Wrap(secret, context);
  }
  absl::StatusOr<SecretBytes> Unwrap(absl::string_view,
                                     absl::string_view) const override {
    return absl::PermissionDeniedError("may not decrypt");
  }

 private:
  const KekPtr kek_ = Kek('w');
};

TEST_F(KeyRingFileFaultsTest, NoRingComesUnderAKekThatCannotOpenIt) {
  const WrapOnlyKek wrap_only;
  const std::string before = ContentsOf(path_);
  const auto is_refused =
      StatusIs(absl::StatusCode::kPermissionDenied,
               ::testing::AllOf(HasSubstr(dir_.path()),
                                HasSubstr("does not unwrap what it has"),
                                HasSubstr("may not decrypt")));
  EXPECT_THAT(file_->Rewrap(wrap_only), is_refused);
  EXPECT_THAT(KeyRingFile::Create(dir_.Join("other"), wrap_only), is_refused);
  EXPECT_EQ(ContentsOf(path_), before);
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("KEYRING"));
  EXPECT_OK(file_->RotateDataKey());
  EXPECT_EQ(Open(*kek_)->List().size(), 2u);
}

// Says "cannot be had" as a service that is away.
class AbsentKek final : public KekProvider {
 public:
  absl::StatusOr<std::string> Wrap(const SecretBytes&,
                                   absl::string_view) const override {
    return absl::UnavailableError("the service is away");
  }
  absl::StatusOr<SecretBytes> Unwrap(absl::string_view,
                                     absl::string_view) const override {
    return absl::UnavailableError("the service is away");
  }
};

TEST_F(KeyRingFileFaultsTest, AServiceThatIsAwayIsNotAWrongKey) {
  const AbsentKek absent;
  const std::string before = ContentsOf(path_);
  const auto is_away =
      StatusIs(absl::StatusCode::kUnavailable,
               ::testing::AllOf(HasSubstr(dir_.path()),
                                HasSubstr("the service is away")));
  EXPECT_THAT(KeyRingFile::Open(path_, absent), is_away);
  EXPECT_THAT(file_->Rewrap(absent), is_away);
  EXPECT_THAT(KeyRingFile::Create(dir_.Join("other"), absent), is_away);
  EXPECT_EQ(ContentsOf(path_), before);
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("KEYRING"));
  // A change needs no KEK.
  EXPECT_OK(file_->RotateDataKey());
}

}  // namespace
}  // namespace shardingdb
