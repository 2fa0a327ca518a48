// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/keyring_command.h"

#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/file_for_test.h"
#include "crypto/file_lock.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/temp_dir.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class KeyringCommandTest : public ::testing::Test {
 protected:
  KeyringCommandTest() {
    environment_.out = [this](absl::string_view text) {
      out_.append(text.data(), text.size());
    };
    environment_.err = [this](absl::string_view text) {
      err_.append(text.data(), text.size());
    };
    environment_.ask =
        [this](absl::string_view prompt) -> absl::StatusOr<SecretBytes> {
      prompts_.append(prompt.data(), prompt.size());
      if (answers_.empty()) return absl::CancelledError("no answer");
      SecretBytes answer{absl::string_view(answers_[0])};
      answers_.erase(answers_.begin());
      return answer;
    };
  }

  KeyringExitCode Run(std::vector<std::string> words) {
    return Run(std::move(words), FileFlags());
  }
  KeyringExitCode Run(std::vector<std::string> words, const KekFlags& kek,
                      const KekFlags& new_kek = {}) {
    out_.clear();
    err_.clear();
    prompts_.clear();
    KeyringCommandLine line;
    line.words = std::move(words);
    line.ring = ring_;
    line.kek = kek;
    line.new_kek = new_kek;
    return RunKeyring(line, environment_);
  }

  KekFlags FileFlags(const std::string& name = "kek") {
    KekFlags flags;
    flags.file = dir_.Join(name);
    return flags;
  }
  static KekFlags Ask() {
    KekFlags flags;
    flags.passphrase = true;
    return flags;
  }

  TempDir dir_;
  std::string ring_ = dir_.Join("KEYRING");
  KeyringEnvironment environment_;
  std::vector<std::string> answers_;
  std::string out_, err_, prompts_;
};

TEST_F(KeyringCommandTest, WrongUse) {
  const KekFlags none;
  KekFlags both = FileFlags();
  both.passphrase = true;
  EXPECT_EQ(Run({}), KeyringExitCode::kUsage);
  EXPECT_THAT(err_, AllOf(HasSubstr("usage error: no command"),
                          HasSubstr("bazel run //crypto:keyring")));
  EXPECT_EQ(Run({"drop"}), KeyringExitCode::kUsage);
  EXPECT_EQ(Run({"list", "more"}), KeyringExitCode::kUsage);
  EXPECT_THAT(err_, HasSubstr("what is 'more'?"));
  EXPECT_EQ(Run({"disable"}), KeyringExitCode::kUsage);
  EXPECT_EQ(Run({"disable", "x"}), KeyringExitCode::kUsage);
  EXPECT_EQ(Run({"enable", "4294967296"}), KeyringExitCode::kUsage);
  EXPECT_EQ(Run({"enable", "1", "2"}), KeyringExitCode::kUsage);
  EXPECT_EQ(Run({"list"}, none), KeyringExitCode::kUsage);
  EXPECT_EQ(Run({"list"}, both), KeyringExitCode::kUsage);
  EXPECT_EQ(Run({"rewrap"}), KeyringExitCode::kUsage);
  EXPECT_EQ(Run({"rewrap"}, FileFlags(), both), KeyringExitCode::kUsage);
  EXPECT_EQ(Run({"rotate"}, FileFlags(), FileFlags()), KeyringExitCode::kUsage);
  ring_.clear();
  EXPECT_EQ(Run({"list"}), KeyringExitCode::kUsage);
  EXPECT_THAT(err_, HasSubstr("--ring"));
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_THAT(NamesIn(dir_.path()), IsEmpty());
}

TEST_F(KeyringCommandTest, PathsAreRelativeToTheWorkingFolder) {
  environment_.working_folder = dir_.path();
  ring_ = "KEYRING";
  KekFlags flags;
  flags.file = "kek";
  EXPECT_EQ(Run({"create"}, flags), KeyringExitCode::kDone) << err_;
  EXPECT_THAT(NamesIn(dir_.path()), ::testing::ElementsAre("KEYRING", "kek"));
  EXPECT_EQ(Run({"check"}, flags), KeyringExitCode::kDone) << err_;
}

TEST_F(KeyringCommandTest, CreateMakesAKekThatIsNotThereAndSaysSo) {
  EXPECT_EQ(Run({"create"}), KeyringExitCode::kDone) << err_;
  EXPECT_THAT(out_,
              AllOf(HasSubstr("made a random key in " + dir_.Join("kek")),
                    HasSubstr("keep a copy"), HasSubstr("made " + ring_)));
  EXPECT_EQ(ModeOf(dir_.Join("kek")), 0600u);
  // Not again, and not for a ring that is there.
  ring_ = dir_.Join("second");
  EXPECT_EQ(Run({"create"}), KeyringExitCode::kDone) << err_;
  EXPECT_THAT(out_, Not(HasSubstr("random")));
  EXPECT_EQ(Run({"create"}, FileFlags("other")), KeyringExitCode::kRefused);
  EXPECT_THAT(err_, HasSubstr("is there already"));
  EXPECT_EQ(NamesIn(dir_.path()).count("other"), 0u);
  // No other command makes one.
  EXPECT_EQ(Run({"check"}, FileFlags("other")), KeyringExitCode::kRefused);
  EXPECT_EQ(NamesIn(dir_.path()).count("other"), 0u);
}

// Whoever else found it there may have put a ring under it.
TEST_F(KeyringCommandTest, AKekThatWasMadeStaysAlsoIfTheRingIsNotUnderIt) {
  ring_ = dir_.Join("nowhere/KEYRING");
  EXPECT_EQ(Run({"create"}), KeyringExitCode::kRefused);
  EXPECT_THAT(out_, AllOf(HasSubstr("made a random key in " + dir_.Join("kek")),
                          HasSubstr("which stays")));
  const std::string kek = ContentsOf(dir_.Join("kek"));
  EXPECT_EQ(kek.size(), 32u);

  ring_ = dir_.Join("KEYRING");
  EXPECT_EQ(Run({"create"}), KeyringExitCode::kDone) << err_;
  EXPECT_EQ(ContentsOf(dir_.Join("kek")), kek);
  {
    const auto lock = FileLock::Take(ring_);
    ASSERT_TRUE(lock.ok()) << lock.status();
    EXPECT_EQ(Run({"rewrap"}, FileFlags(), FileFlags("new")),
              KeyringExitCode::kRefused);
    EXPECT_THAT(out_, HasSubstr("which stays"));
  }
  const std::string new_kek = ContentsOf(dir_.Join("new"));
  EXPECT_EQ(new_kek.size(), 32u);
  EXPECT_EQ(Run({"check"}), KeyringExitCode::kDone) << err_;
  EXPECT_EQ(Run({"rewrap"}, FileFlags(), FileFlags("new")),
            KeyringExitCode::kDone)
      << err_;
  EXPECT_EQ(ContentsOf(dir_.Join("new")), new_kek);
  EXPECT_EQ(Run({"check"}, FileFlags("new")), KeyringExitCode::kDone) << err_;
}

TEST_F(KeyringCommandTest, AKekFileIsNoneOfTheRingsOwn) {
  for (const char* name : {"KEYRING", "KEYRING.tmp", "./KEYRING.tmp"}) {
    EXPECT_EQ(Run({"create"}, FileFlags(name)), KeyringExitCode::kUsage);
    EXPECT_THAT(err_, HasSubstr("--kek-file: " + dir_.Join(name)));
    EXPECT_THAT(NamesIn(dir_.path()), IsEmpty());
  }
  EXPECT_EQ(Run({"create"}), KeyringExitCode::kDone) << err_;
  const std::string before = ContentsOf(ring_);
  EXPECT_EQ(Run({"rewrap"}, FileFlags(), FileFlags("KEYRING.tmp")),
            KeyringExitCode::kUsage);
  EXPECT_THAT(err_, HasSubstr("--new-kek-file: " + dir_.Join("KEYRING.tmp")));
  EXPECT_EQ(NamesIn(dir_.path()).count("KEYRING.tmp"), 0u);
  // As an older program has let it be.
  PutFile(dir_.Join("KEYRING.tmp"), ContentsOf(dir_.Join("kek")));
  EXPECT_EQ(Run({"rotate"}, FileFlags("KEYRING.tmp")), KeyringExitCode::kUsage);
  EXPECT_EQ(NamesIn(dir_.path()).count("KEYRING.tmp"), 1u);
  EXPECT_EQ(ContentsOf(ring_), before);
}

TEST_F(KeyringCommandTest, ManyMakeTheSameKekAtOnce) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 4;
  environment_.out = environment_.err = [](absl::string_view) {};
  for (int round = 0; round < kRounds; ++round) {
    KeyringCommandLine line;
    line.words = {"create"};
    line.kek = FileFlags(absl::StrCat("kek", round));
    std::vector<KeyringCommandLine> lines(kThreads, line);
    std::vector<KeyringExitCode> codes(kThreads);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      lines[i].ring = dir_.Join(absl::StrCat("R", round, "-", i));
      threads.emplace_back([this, &code = codes[i], &line = lines[i]] {
        code = RunKeyring(line, environment_);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (int i = 0; i < kThreads; ++i) {
      EXPECT_EQ(codes[i], KeyringExitCode::kDone) << lines[i].ring;
      lines[i].words = {"check"};
      EXPECT_EQ(RunKeyring(lines[i], environment_), KeyringExitCode::kDone)
          << lines[i].ring;
    }
  }
}

TEST_F(KeyringCommandTest, ARewrapUnderTheSameKekDoesNotClaimAnother) {
  EXPECT_EQ(Run({"create"}), KeyringExitCode::kDone) << err_;
  EXPECT_EQ(Run({"rewrap"}, FileFlags(), FileFlags()), KeyringExitCode::kDone)
      << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("the same key as before"),
                          Not(HasSubstr("does not"))));
}

TEST_F(KeyringCommandTest, TooManyKeksAreNotNone) {
  KekFlags both = FileFlags();
  both.env = "KEK";
  EXPECT_EQ(Run({"list"}, both), KeyringExitCode::kUsage);
  EXPECT_THAT(err_, HasSubstr("more than one KEK"));
  EXPECT_EQ(Run({"list"}, KekFlags()), KeyringExitCode::kUsage);
  EXPECT_THAT(err_, HasSubstr("no KEK"));
}

TEST_F(KeyringCommandTest, APassphraseIsAskedForTwiceWhenItIsNew) {
  answers_ = {"pass phrase", "pass phrase"};
  EXPECT_EQ(Run({"create"}, Ask()), KeyringExitCode::kDone) << err_;
  EXPECT_EQ(prompts_, "New passphrase: The same again: ");
  answers_ = {"pass phrase"};
  EXPECT_EQ(Run({"check"}, Ask()), KeyringExitCode::kDone) << err_;
  EXPECT_EQ(prompts_, "Passphrase: ");
  answers_ = {"pass phrasE"};
  EXPECT_EQ(Run({"check"}, Ask()), KeyringExitCode::kRefused);
  EXPECT_THAT(err_, AllOf(HasSubstr("wrong key"), Not(HasSubstr("phrasE"))));
  answers_ = {"pass phrase", "other", "other"};
  EXPECT_EQ(Run({"rewrap"}, Ask(), Ask()), KeyringExitCode::kDone) << err_;
  EXPECT_EQ(prompts_, "Passphrase: New passphrase: The same again: ");
  answers_ = {"other"};
  EXPECT_EQ(Run({"check"}, Ask()), KeyringExitCode::kDone) << err_;
}

TEST_F(KeyringCommandTest, WhatIsNoPassphraseMakesNoRing) {
  const std::vector<std::vector<std::string>> kAnswers = {
      {}, {""}, {"one"}, {"one", "other"}};
  for (const auto& answers : kAnswers) {
    answers_ = answers;
    EXPECT_EQ(Run({"create"}, Ask()), KeyringExitCode::kRefused);
    EXPECT_THAT(NamesIn(dir_.path()), IsEmpty());
  }
  EXPECT_THAT(err_, HasSubstr("the passphrases differ"));
}

TEST_F(KeyringCommandTest, ExitCodes) {
  const struct {
    absl::Status status;
    KeyringExitCode code;
  } kCases[] = {
      {absl::OkStatus(), KeyringExitCode::kDone},
      {absl::DataLossError(""), KeyringExitCode::kStorage},
      {absl::UnavailableError(""), KeyringExitCode::kStorage},
      {absl::ResourceExhaustedError(""), KeyringExitCode::kStorage},
      {absl::InternalError(""), KeyringExitCode::kStorage},
      {absl::PermissionDeniedError(""), KeyringExitCode::kRefused},
      {absl::FailedPreconditionError(""), KeyringExitCode::kRefused},
      {absl::AbortedError(""), KeyringExitCode::kRefused},
      {absl::NotFoundError(""), KeyringExitCode::kRefused},
      {absl::AlreadyExistsError(""), KeyringExitCode::kRefused},
      {absl::UnimplementedError(""), KeyringExitCode::kRefused},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(KeyringExitCodeOf(test.status), test.code) << test.status;
  }
}

}  // namespace
}  // namespace shardingdb::crypto_internal
