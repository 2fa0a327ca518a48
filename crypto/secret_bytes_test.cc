// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/secret_bytes.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

template <typename T, typename = void>
struct IsStreamable : std::false_type {};
template <typename T>
struct IsStreamable<T, std::void_t<decltype(std::declval<std::ostream&>()
                                            << std::declval<const T&>())>>
    : std::true_type {};

// The check itself sees what can be printed.
static_assert(IsStreamable<std::string>::value);
static_assert(std::is_constructible_v<absl::AlphaNum, const std::string&>);

static_assert(!IsStreamable<SecretBytes>::value);
static_assert(!std::is_constructible_v<absl::AlphaNum, const SecretBytes&>);
static_assert(!std::is_constructible_v<absl::string_view, const SecretBytes&>);
static_assert(!std::is_constructible_v<std::string, const SecretBytes&>);
static_assert(!std::is_convertible_v<std::string, SecretBytes>);
static_assert(!std::is_convertible_v<const char*, SecretBytes>);
static_assert(!std::is_copy_constructible_v<SecretBytes>);
static_assert(!std::is_copy_assignable_v<SecretBytes>);
static_assert(std::is_nothrow_move_constructible_v<SecretBytes>);
static_assert(std::is_nothrow_move_assignable_v<SecretBytes>);

TEST(SecretBytesTest, HoldsACopyOfWhatItWasGiven) {
  std::string original("\0key\xff bytes", 11);
  const SecretBytes secret(original);
  original.assign(original.size(), 'x');
  EXPECT_EQ(secret.reveal(), absl::string_view("\0key\xff bytes", 11));
  EXPECT_EQ(secret.size(), 11);
  EXPECT_FALSE(secret.empty());
}

TEST(SecretBytesTest, EmptyIsEmpty) {
  const SecretBytes none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.reveal(), "");
  EXPECT_TRUE(none == SecretBytes(""));
  EXPECT_TRUE(none == SecretBytes::Zeros(0));
  EXPECT_TRUE(none.Clone().empty());
}

TEST(SecretBytesTest, MovingLeavesNothingBehind) {
  SecretBytes first("secret");
  SecretBytes second(std::move(first));
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): the contract
  EXPECT_EQ(second.reveal(), "secret");
  SecretBytes third("other");
  third = std::move(second);
  EXPECT_TRUE(second.empty());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(third.reveal(), "secret");
  SecretBytes& same = third;
  third = std::move(same);
  EXPECT_EQ(third.reveal(), "secret");
}

// A small secret stands in a pool's page, which stays mapped: the place where
// it was can be looked at.
TEST(SecretBytesTest, IsWipedWhenClearedAssignedOverAndDestroyed) {
  // The pool's list of free places takes the first bytes of each.
  constexpr size_t kLink = sizeof(void*);
  const auto wiped = [](const char* place) {
    return std::all_of(place + kLink, place + 32,
                       [](char c) { return c == 0; });
  };
  const std::string bytes(32, 'k');
  {
    SecretBytes secret(bytes);
    const char* place = secret.reveal().data();
    secret.Clear();
    EXPECT_TRUE(secret.empty());
    EXPECT_TRUE(wiped(place));
  }
  {
    SecretBytes secret(bytes);
    const char* place = secret.reveal().data();
    secret = SecretBytes();
    EXPECT_TRUE(wiped(place));
  }
  const char* place = nullptr;
  {
    const SecretBytes secret(bytes);
    place = secret.reveal().data();
  }
  EXPECT_TRUE(wiped(place));
}

TEST(SecretBytesTest, EqualityLooksAtEveryByte) {
  std::string bytes(70, 'a');
  const SecretBytes secret(bytes);
  EXPECT_TRUE(secret == SecretBytes(bytes));
  EXPECT_FALSE(secret != SecretBytes(bytes));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] ^= 0x40;
    EXPECT_TRUE(secret != SecretBytes(changed)) << i;
  }
  EXPECT_TRUE(secret != SecretBytes(bytes.substr(1)));
  EXPECT_TRUE(secret != SecretBytes(""));
}

TEST(SecretBytesTest, CloneIsOfItsOwn) {
  SecretBytes secret("secret");
  const SecretBytes clone = secret.Clone();
  EXPECT_TRUE(clone == secret);
  EXPECT_NE(clone.reveal().data(), secret.reveal().data());
  secret.Clear();
  EXPECT_EQ(clone.reveal(), "secret");
}

TEST(SecretBytesTest, ZerosAreThereToBeFilled) {
  SecretBytes secret = SecretBytes::Zeros(200);
  EXPECT_TRUE(secret == SecretBytes(std::string(200, '\0')));
  secret.mutable_data()[199] = 'z';
  EXPECT_EQ(secret.reveal()[199], 'z');
}

TEST(SecretBytesTest, RandomDiffersEveryTime) {
  absl::StatusOr<SecretBytes> a = SecretBytes::Random(32);
  absl::StatusOr<SecretBytes> b = SecretBytes::Random(32);
  ASSERT_TRUE(a.ok()) << a.status();
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_EQ(a->size(), 32);
  EXPECT_TRUE(*a != *b);
  EXPECT_TRUE(*a != SecretBytes::Zeros(32));
  absl::StatusOr<SecretBytes> none = SecretBytes::Random(0);
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_TRUE(none->empty());
}

}  // namespace
}  // namespace shardingdb
