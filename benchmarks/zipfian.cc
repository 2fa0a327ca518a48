// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/zipfian.h"

#include <algorithm>
#include <cmath>

namespace shardingdb {
namespace {

double Zeta(uint64_t count) {
  double sum = 0;
  for (uint64_t i = 1; i <= count; ++i)
    sum += std::pow(static_cast<double>(i), -Zipfian::kTheta);
  return sum;
}

}  // namespace

Zipfian::Zipfian(uint64_t count) : count_(count), zeta_(Zeta(count)) {
  eta_ = (1 - std::pow(2.0 / static_cast<double>(count), 1 - kTheta)) /
         (1 - Zeta(2) / zeta_);
}

uint64_t Zipfian::RankOf(double unit) const {
  const double part = unit * zeta_;
  if (part < 1) return 0;
  if (part < 1 + std::pow(0.5, kTheta)) return 1;
  const double rank = static_cast<double>(count_) *
                      std::pow(eta_ * unit - eta_ + 1, 1 / (1 - kTheta));
  return std::min(static_cast<uint64_t>(rank), count_ - 1);
}

}  // namespace shardingdb
