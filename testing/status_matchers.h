// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_STATUS_MATCHERS_H_
#define SHARDINGDB_TESTING_STATUS_MATCHERS_H_

// Matchers for absl::Status, absl::StatusOr<T> and leveldb::Status.
//
//   EXPECT_OK(db->Put(leveldb::WriteOptions(), "k", "v"));
//   EXPECT_THAT(db->Get(options, "x", &value), IsLevelDbNotFound());
//   EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kIOError,
//                                       HasSubstr("closed")));
//   EXPECT_THAT(OpenLevelDb(path, options),
//               StatusIs(absl::StatusCode::kFailedPrecondition));
//   ASSERT_OK_AND_ASSIGN(std::unique_ptr<DbHandle> db, OpenLevelDb(path, {}));

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/status.h"

namespace leveldb {

// Lets googletest print a status as its text.
inline void PrintTo(const Status& status, std::ostream* out) {
  *out << status.ToString();
}

}  // namespace leveldb

namespace shardingdb {

// The kinds of leveldb::Status, which itself only has a predicate for each.
enum class LevelDbCode {
  kOk,
  kNotFound,
  kCorruption,
  kNotSupported,
  kInvalidArgument,
  kIOError,
};

inline LevelDbCode CodeOf(const leveldb::Status& status) {
  if (status.ok()) return LevelDbCode::kOk;
  if (status.IsNotFound()) return LevelDbCode::kNotFound;
  if (status.IsCorruption()) return LevelDbCode::kCorruption;
  if (status.IsNotSupportedError()) return LevelDbCode::kNotSupported;
  if (status.IsInvalidArgument()) return LevelDbCode::kInvalidArgument;
  return LevelDbCode::kIOError;
}

inline std::ostream& operator<<(std::ostream& out, LevelDbCode code) {
  switch (code) {
    case LevelDbCode::kOk:
      return out << "OK";
    case LevelDbCode::kNotFound:
      return out << "NotFound";
    case LevelDbCode::kCorruption:
      return out << "Corruption";
    case LevelDbCode::kNotSupported:
      return out << "NotSupported";
    case LevelDbCode::kInvalidArgument:
      return out << "InvalidArgument";
    case LevelDbCode::kIOError:
      return out << "IOError";
  }
  return out << "LevelDbCode(" << static_cast<int>(code) << ")";
}

namespace status_matchers_internal {

inline const absl::Status& StatusOf(const absl::Status& status) {
  return status;
}

template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

inline const leveldb::Status& StatusOf(const leveldb::Status& status) {
  return status;
}

// The text of a leveldb::Status behind the name of its code.
inline std::string MessageOf(const leveldb::Status& status) {
  const std::string text = status.ToString();
  const size_t colon = text.find(": ");
  return colon == std::string::npos ? std::string() : text.substr(colon + 2);
}

class IsOkMatcher {
 public:
  using is_gtest_matcher = void;

  template <typename T>
  bool MatchAndExplain(const T& value,
                       ::testing::MatchResultListener* listener) const {
    const auto& status = StatusOf(value);
    if (status.ok()) return true;
    *listener << "which is " << status.ToString();
    return false;
  }
  void DescribeTo(std::ostream* out) const { *out << "is OK"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "is not OK"; }
};

class StatusIsMatcher {
 public:
  using is_gtest_matcher = void;

  StatusIsMatcher(absl::StatusCode code,
                  ::testing::Matcher<std::string> message)
      : code_(code), message_(std::move(message)) {}

  template <typename T>
  bool MatchAndExplain(const T& value,
                       ::testing::MatchResultListener* listener) const {
    const absl::Status& status = StatusOf(value);
    if (status.code() == code_ &&
        message_.Matches(std::string(status.message()))) {
      return true;
    }
    *listener << "which is " << status.ToString();
    return false;
  }
  void DescribeTo(std::ostream* out) const {
    *out << "is " << absl::StatusCodeToString(code_) << " with a message that ";
    message_.DescribeTo(out);
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "is not " << absl::StatusCodeToString(code_) << " or its message ";
    message_.DescribeNegationTo(out);
  }

 private:
  absl::StatusCode code_;
  ::testing::Matcher<std::string> message_;
};

class LevelDbStatusIsMatcher {
 public:
  using is_gtest_matcher = void;

  LevelDbStatusIsMatcher(LevelDbCode code,
                         ::testing::Matcher<std::string> message)
      : code_(code), message_(std::move(message)) {}

  bool MatchAndExplain(const leveldb::Status& status,
                       ::testing::MatchResultListener* listener) const {
    if (CodeOf(status) == code_ && message_.Matches(MessageOf(status))) {
      return true;
    }
    *listener << "which is " << status.ToString();
    return false;
  }
  void DescribeTo(std::ostream* out) const {
    *out << "is " << code_ << " with a message that ";
    message_.DescribeTo(out);
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "is not " << code_ << " or its message ";
    message_.DescribeNegationTo(out);
  }

 private:
  LevelDbCode code_;
  ::testing::Matcher<std::string> message_;
};

// Matches an absl::StatusOr<T> that holds a value which `Inner` matches.
template <typename Inner>
class IsOkAndHoldsMatcher {
 public:
  explicit IsOkAndHoldsMatcher(Inner inner) : inner_(std::move(inner)) {}

  // NOLINTNEXTLINE(google-explicit-constructor): how gmock makes matchers.
  template <typename T>
  operator ::testing::Matcher<T>() const {
    using Value = typename std::decay_t<T>::value_type;
    return ::testing::Matcher<T>(
        new Typed<T>(::testing::SafeMatcherCast<const Value&>(inner_)));
  }

 private:
  template <typename T>
  class Typed : public ::testing::MatcherInterface<T> {
   public:
    using Value = typename std::decay_t<T>::value_type;

    explicit Typed(::testing::Matcher<const Value&> inner)
        : inner_(std::move(inner)) {}

    bool MatchAndExplain(
        T result, ::testing::MatchResultListener* listener) const override {
      if (!result.ok()) {
        *listener << "which is " << result.status().ToString();
        return false;
      }
      return inner_.MatchAndExplain(*result, listener);
    }
    void DescribeTo(std::ostream* out) const override {
      *out << "is OK and holds a value that ";
      inner_.DescribeTo(out);
    }
    void DescribeNegationTo(std::ostream* out) const override {
      *out << "is not OK or holds a value that ";
      inner_.DescribeNegationTo(out);
    }

   private:
    ::testing::Matcher<const Value&> inner_;
  };

  Inner inner_;
};

}  // namespace status_matchers_internal

// Matches any of the three when it is OK.
inline status_matchers_internal::IsOkMatcher IsOk() { return {}; }

// Matches an absl::Status or absl::StatusOr by its code and message.
inline status_matchers_internal::StatusIsMatcher StatusIs(
    absl::StatusCode code,
    ::testing::Matcher<std::string> message = ::testing::_) {
  return {code, std::move(message)};
}

// Matches a leveldb::Status by its code and by its text behind the code's name.
inline status_matchers_internal::LevelDbStatusIsMatcher LevelDbStatusIs(
    LevelDbCode code, ::testing::Matcher<std::string> message = ::testing::_) {
  return {code, std::move(message)};
}

// What a read of a key that is not there answers.
inline status_matchers_internal::LevelDbStatusIsMatcher IsLevelDbNotFound() {
  return LevelDbStatusIs(LevelDbCode::kNotFound);
}

// Matches an absl::StatusOr<T> that is OK and whose value `inner` (a matcher,
// or a value to be equal to) matches.
template <typename Inner>
status_matchers_internal::IsOkAndHoldsMatcher<std::decay_t<Inner>> IsOkAndHolds(
    Inner&& inner) {
  return status_matchers_internal::IsOkAndHoldsMatcher<std::decay_t<Inner>>(
      std::forward<Inner>(inner));
}

}  // namespace shardingdb

#define EXPECT_OK(expression) EXPECT_THAT(expression, ::shardingdb::IsOk())
#define ASSERT_OK(expression) ASSERT_THAT(expression, ::shardingdb::IsOk())

// Ends the test function unless the absl::StatusOr `expression` is OK, and
// assigns its value to `target`, which may declare a variable.
#define ASSERT_OK_AND_ASSIGN(target, expression) \
  SHARDINGDB_ASSERT_OK_AND_ASSIGN_(              \
      SHARDINGDB_CONCAT_(shardingdb_status_or_, __LINE__), target, expression)
#define SHARDINGDB_ASSERT_OK_AND_ASSIGN_(result, target, expression) \
  auto result = (expression);                                        \
  ASSERT_THAT(result, ::shardingdb::IsOk());                         \
  target = *std::move(result)
#define SHARDINGDB_CONCAT_(a, b) SHARDINGDB_CONCAT_INNER_(a, b)
#define SHARDINGDB_CONCAT_INNER_(a, b) a##b

#endif  // SHARDINGDB_TESTING_STATUS_MATCHERS_H_
