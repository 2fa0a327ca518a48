// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/unprivileged.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

// The C library has no functions for these two.
bool Call(long number, __user_cap_data_struct* capabilities) {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  if (::syscall(number, &header, capabilities) == 0) return true;
  ADD_FAILURE() << "capabilities: " << std::strerror(errno);
  return false;
}

}  // namespace

Unprivileged::Unprivileged() {
  __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3];
  if (!Call(SYS_capget, capabilities)) return;
  effective_[0] = capabilities[0].effective;
  effective_[1] = capabilities[1].effective;
  capabilities[0].effective &=
      ~(uint32_t{1} << CAP_DAC_OVERRIDE | uint32_t{1} << CAP_DAC_READ_SEARCH);
  Call(SYS_capset, capabilities);
}

Unprivileged::~Unprivileged() {
  __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3];
  if (!Call(SYS_capget, capabilities)) return;
  capabilities[0].effective = effective_[0];
  capabilities[1].effective = effective_[1];
  Call(SYS_capset, capabilities);
}

}  // namespace shardingdb
