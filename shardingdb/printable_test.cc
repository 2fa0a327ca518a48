// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/printable.h"

#include <string>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(PrintableTest, TextStays) {
  for (const char* text :
       {"", "/data/shard 1: \"No\" ~", "C:\\x1b", "/daten/Größe", "/数据",
        "\xf0\x9f\x98\x80", "\xc2\xa0", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(PrintableTest, ControlCharactersAreEscaped) {
  EXPECT_EQ(Printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(Printable(std::string("\0\n\r\x7f", 4)), "\\x00\\x0a\\x0d\\x7f");
  EXPECT_EQ(Printable("\xc2\x9b"), "\\xc2\\x9b");  // begins a command, too
}

TEST(PrintableTest, WhatIsNotUtf8IsEscaped) {
  EXPECT_EQ(Printable("a\xff"), "a\\xff");
  EXPECT_EQ(Printable("\x80z"), "\\x80z");
  EXPECT_EQ(Printable("\xc3"), "\\xc3");  // cut off
  EXPECT_EQ(Printable("\xe6\x95z"), "\\xe6\\x95z");
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xc0\\xaf");  // longer than needed
  EXPECT_EQ(Printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(Printable("\xf8\x88\x80\x80\x80"), "\\xf8\\x88\\x80\\x80\\x80");
}

TEST(PrintableTest, TwiceIsOnce) {
  const std::string once = Printable("/a\\b/\x1b\xff/ö");
  EXPECT_EQ(Printable(once), once);
}

}  // namespace
}  // namespace shardingdb
