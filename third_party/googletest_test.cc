// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace {

class Listener {
 public:
  virtual ~Listener() = default;
  virtual int OnEvent(int event) = 0;
};

class MockListener : public Listener {
 public:
  MOCK_METHOD(int, OnEvent, (int event), (override));
};

TEST(Googletest, MocksAndMatches) {
  MockListener listener;
  EXPECT_CALL(listener, OnEvent(testing::Gt(1))).WillOnce(testing::Return(3));
  EXPECT_EQ(listener.OnEvent(2), 3);
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
