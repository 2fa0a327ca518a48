// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/replace_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "crypto/file_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/unprivileged.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr FileStep kSteps[] = {FileStep::kCreate, FileStep::kWrite,
                               FileStep::kSync, FileStep::kRename,
                               FileStep::kSyncFolder};

FileFault FailAt(FileStep step, int error) {
  return [step, error](FileStep at) { return at == step ? error : 0; };
}

class ReplaceFileTest : public ::testing::Test {
 protected:
  TempDir dir_;
  const std::string path_ = dir_.Join("file");
};

TEST_F(ReplaceFileTest, ANewFileIsPrivateWhateverTheUmask) {
  for (const ::mode_t mask : {0000, 0022, 0777}) {
    const ::mode_t before = ::umask(mask);
    EXPECT_OK(CreateFile(path_, "new"));
    EXPECT_OK(ReplaceFile(path_, "newer"));
    ::umask(before);
    EXPECT_EQ(ContentsOf(path_), "newer");
    EXPECT_EQ(ModeOf(path_), 0600u);
    EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("file"));
    ASSERT_EQ(::unlink(path_.c_str()), 0);
  }
}

TEST_F(ReplaceFileTest, CreateLeavesWhatIsThere) {
  PutFile(path_, "old");
  EXPECT_THAT(CreateFile(path_, "new"),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr(path_)));
  EXPECT_EQ(ContentsOf(path_), "old");
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("file"));
}

TEST_F(ReplaceFileTest, ReplaceNeedsAFile) {
  EXPECT_THAT(ReplaceFile(path_, "new"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path_)));
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre());
}

TEST_F(ReplaceFileTest, AFolderThatIsNotThereIsNamed) {
  const std::string folder = dir_.Join("no/folder");
  EXPECT_THAT(CreateFile(folder + "/file", "new"),
              StatusIs(absl::StatusCode::kNotFound,
                       folder + ": No such file or directory"));
}

TEST_F(ReplaceFileTest, AFileInThePlaceOfTheFolderIsNamed) {
  PutFile(path_, "old");
  EXPECT_THAT(CreateFile(path_ + "/file", "new"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       path_ + ": Not a directory"));
}

TEST_F(ReplaceFileTest, NoErrorNamesTheTemporaryFile) {
  for (const FileStep step : kSteps) {
    if (step == FileStep::kSyncFolder) continue;
    EXPECT_THAT(CreateFile(path_, "new", FailAt(step, ENOSPC)),
                StatusIs(absl::StatusCode::kResourceExhausted,
                         path_ + ": No space left on device"));
    PutFile(path_, "old");
    EXPECT_THAT(ReplaceFile(path_, "new", FailAt(step, ENOSPC)),
                StatusIs(absl::StatusCode::kResourceExhausted,
                         path_ + ": No space left on device"));
    ASSERT_EQ(::unlink(path_.c_str()), 0);
  }
}

TEST_F(ReplaceFileTest, AnErrorInAnyStepLeavesTheOldFileOrTheNewOne) {
  for (const FileStep step : kSteps) {
    PutFile(path_, "old");
    EXPECT_THAT(ReplaceFile(path_, "new", FailAt(step, EIO)),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr(path_)));
    EXPECT_EQ(ContentsOf(path_), step == FileStep::kSyncFolder ? "new" : "old");
    EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("file"));
  }
  EXPECT_THAT(ReplaceFile(path_, "new", FailAt(FileStep::kWrite, ENOSPC)),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST_F(ReplaceFileTest, AnErrorInAnyStepLeavesNoNewFileOrAWholeOne) {
  for (const FileStep step : kSteps) {
    EXPECT_THAT(CreateFile(path_, "new", FailAt(step, EIO)),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr(path_)));
    if (step == FileStep::kSyncFolder) {
      EXPECT_EQ(ContentsOf(path_), "new");
    } else {
      EXPECT_THAT(NamesIn(dir_.path()), ElementsAre());
    }
  }
}

// Runs `change` in a process that ends at once where `step` begins.
template <typename Change>
void DieAt(FileStep step, Change change) {
  const pid_t pid = ::fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    const absl::Status status = change([step](FileStep at) {
      if (at == step) ::_exit(77);
      return 0;
    });
    ::_exit(status.ok() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 77);
}

TEST_F(ReplaceFileTest, AKillAtAnyStepLeavesAWholeFileAndTheNextTryWorks) {
  for (const FileStep step : kSteps) {
    PutFile(path_, "old");
    DieAt(step, [this](const FileFault& fault) {
      return ReplaceFile(path_, std::string(100000, 'n'), fault);
    });
    EXPECT_EQ(ContentsOf(path_),
              step == FileStep::kSyncFolder ? std::string(100000, 'n') : "old");
    EXPECT_OK(ReplaceFile(path_, "newer"));
    EXPECT_EQ(ContentsOf(path_), "newer");
    EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("file"));
  }
}

TEST_F(ReplaceFileTest, AKillWhileCreatingLeavesNothingAtThePath) {
  for (const FileStep step : kSteps) {
    const std::string path = path_ + std::to_string(static_cast<int>(step));
    DieAt(step, [&path](const FileFault& fault) {
      return CreateFile(path, "new", fault);
    });
    if (step == FileStep::kSyncFolder) {
      EXPECT_EQ(ContentsOf(path), "new");
    } else {
      EXPECT_EQ(NamesIn(dir_.path()).count(path.substr(path.rfind('/') + 1)),
                0u);
      EXPECT_OK(CreateFile(path, "newer"));
      EXPECT_EQ(ContentsOf(path), "newer");
    }
  }
}

TEST_F(ReplaceFileTest, AFullDiskLeavesTheOldFile) {
  PutFile(path_, "old");
  struct ::rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct ::rlimit little = before;
  little.rlim_cur = 1000;
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const absl::Status status = ReplaceFile(path_, std::string(1001, 'n'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr(path_)));
  EXPECT_EQ(ContentsOf(path_), "old");
  EXPECT_THAT(NamesIn(dir_.path()), ElementsAre("file"));
}

TEST_F(ReplaceFileTest, AFolderThatMayNotBeChangedIsPermissionDenied) {
  const std::string folder = dir_.Join("folder");
  ASSERT_EQ(::mkdir(folder.c_str(), 0700), 0);
  const std::string path = folder + "/file";
  PutFile(path, "old");
  ASSERT_EQ(::chmod(folder.c_str(), 0500), 0);
  {
    const Unprivileged unprivileged;
    const auto is_denied = StatusIs(absl::StatusCode::kPermissionDenied,
                                    folder + ": Permission denied");
    EXPECT_THAT(ReplaceFile(path, "new"), is_denied);
    EXPECT_THAT(CreateFile(folder + "/other", "new"), is_denied);
  }
  EXPECT_EQ(ContentsOf(path), "old");
  ASSERT_EQ(::chmod(folder.c_str(), 0700), 0);
}

TEST_F(ReplaceFileTest, TheNewFileBelongsToWhomTheOldOneBelongedTo) {
  PutFile(path_, "old");
  // Not everybody can give a file away; then it is theirs before and after.
  uid_t owner = 12345;
  if (::chown(path_.c_str(), owner, ::getegid()) != 0) owner = ::geteuid();
  ASSERT_OK(ReplaceFile(path_, "new"));
  struct ::stat found;
  ASSERT_EQ(::stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_uid, owner);
  EXPECT_EQ(ModeOf(path_), 0600u);
}

}  // namespace
}  // namespace shardingdb::crypto_internal
