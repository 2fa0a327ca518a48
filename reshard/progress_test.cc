// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/progress.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class ProgressTest : public ::testing::Test {
 protected:
  Progress::Options Options(Progress::Level level, bool terminal) {
    Progress::Options options;
    options.level = level;
    options.terminal = terminal;
    options.write = [this](absl::string_view text) {
      text_.append(text.data(), text.size());
    };
    options.now = [this] { return now_; };
    return options;
  }
  Progress::Options Lines() {
    return Options(Progress::Level::kSummary, false);
  }
  Progress::Options Bar() { return Options(Progress::Level::kSummary, true); }

  // What was written since the last call.
  std::string Text() {
    std::string text;
    text.swap(text_);
    return text;
  }

  std::string text_;
  absl::Time now_ = absl::FromUnixSeconds(1000);
};

TEST_F(ProgressTest, SaysWhatItsLevelAllows) {
  for (Progress::Level level :
       {Progress::Level::kSilent, Progress::Level::kSummary,
        Progress::Level::kDetail}) {
    Progress progress(Options(level, false));
    progress.Say(Progress::Level::kSilent, "error");
    progress.Say(Progress::Level::kSummary, "summary");
    progress.Say(Progress::Level::kDetail, "detail");
    const std::string text = Text();
    EXPECT_THAT(text, StartsWith("error\n"));
    EXPECT_EQ(absl::StrContains(text, "summary\n"),
              level >= Progress::Level::kSummary);
    EXPECT_EQ(absl::StrContains(text, "detail\n"),
              level >= Progress::Level::kDetail);
  }
}

TEST_F(ProgressTest, SumsUpAPhase) {
  Progress progress(Lines());
  progress.StartPhase("copy", 100);
  now_ += absl::Seconds(2);
  progress.Advance(100, 3000, 4000000);
  progress.EndPhase();
  EXPECT_EQ(Text(), "copy: 3000 entries, 4.0 MB in 2.0 s (1500 entries/s)\n");
  progress.EndPhase();
  EXPECT_THAT(Text(), IsEmpty());
}

TEST_F(ProgressTest, ANewPhaseEndsTheOneBefore) {
  Progress progress(Lines());
  progress.StartPhase("copy", 0);
  progress.Advance(0, 1, 1);
  progress.StartPhase("verify", 0);
  EXPECT_THAT(Text(), StartsWith("copy: 1 entries"));
  progress.EndPhase();
  EXPECT_THAT(Text(), StartsWith("verify: 0 entries"));
}

TEST_F(ProgressTest, WritesALineNowAndThenWithRateAndTimeLeft) {
  Progress progress(Lines());
  progress.StartPhase("copy", 400);
  now_ += absl::Seconds(4);
  progress.Advance(50, 500, 5000000);
  EXPECT_THAT(Text(), IsEmpty());
  now_ += absl::Seconds(6);
  progress.Advance(50, 500, 5000000);
  EXPECT_EQ(Text(), "copy 25% 1000 entries, 100/s, 1.0 MB/s, ETA 0:30\n");
  progress.Advance(50, 500, 5000000);
  EXPECT_THAT(Text(), IsEmpty());
}

TEST_F(ProgressTest, WithoutASizeThereIsNoTimeLeft) {
  Progress progress(Lines());
  progress.StartPhase("copy", 0);
  now_ += absl::Seconds(10);
  progress.Advance(50, 1000, 10000000);
  EXPECT_EQ(Text(), "copy 1000 entries, 100/s, 1.0 MB/s\n");
}

TEST_F(ProgressTest, DrawsABarOverItself) {
  Progress progress(Bar());
  progress.StartPhase("copy", 100);
  now_ += absl::Seconds(1);
  progress.Advance(50, 100, 1000000);
  EXPECT_EQ(Text(),
            "\rcopy [#####.....] 50% 100 entries, 100/s, 1.0 MB/s, "
            "ETA 0:01");
  now_ += absl::Milliseconds(50);
  progress.Advance(10, 1, 1);
  EXPECT_THAT(Text(), IsEmpty());
  now_ += absl::Seconds(1);
  progress.Advance(40, 99, 1000000);
  EXPECT_THAT(Text(), StartsWith("\rcopy [##########] 100% 200"));
}

TEST_F(ProgressTest, RemovesTheBarBeforeItSaysSomething) {
  Progress progress(Bar());
  progress.StartPhase("copy", 100);
  now_ += absl::Seconds(1);
  progress.Advance(50, 100, 1000000);
  Text();
  progress.Say(Progress::Level::kSummary, "news");
  const std::string text = Text();
  EXPECT_THAT(text, StartsWith("\r   "));
  EXPECT_THAT(text, EndsWith(" \rnews\n"));
}

TEST_F(ProgressTest, RemovesTheBarInTheEndAndClaimsNothing) {
  {
    Progress progress(Bar());
    progress.StartPhase("copy", 100);
    now_ += absl::Seconds(1);
    progress.Advance(50, 100, 1000000);
    Text();
  }
  const std::string text = Text();
  EXPECT_THAT(text, StartsWith("\r   "));
  EXPECT_THAT(text, EndsWith(" \r"));
  EXPECT_THAT(text, Not(HasSubstr("copy")));
}

TEST_F(ProgressTest, NeverShowsMoreThanAll) {
  Progress progress(Lines());
  progress.StartPhase("copy", 100);
  now_ += absl::Seconds(10);
  progress.Advance(150, 10, 10);
  EXPECT_THAT(Text(), StartsWith("copy 100% 10 entries"));
}

TEST_F(ProgressTest, WithoutAPlaceToWriteItIsSilent) {
  Progress progress{Progress::Options()};
  progress.Say(Progress::Level::kSilent, "error");
  progress.StartPhase("copy", 100);
  progress.Advance(1, 1, 1);
  progress.EndPhase();
}

}  // namespace
}  // namespace shardingdb
