// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_LOSER_TREE_H_
#define SHARDINGDB_LOSER_TREE_H_

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace shardingdb {

// A tournament among the players 0 to size - 1 that knows who comes first.
// After the winner has changed, log2(size) comparisons find the next one: about
// half of what a binary heap needs.
//
// Each inner node keeps the loser of the match that was played there. The
// players are the leaves, numbered size to 2 * size - 1; node n's parent is n
// / 2.
//
// Not thread-safe.
class LoserTree {
 public:
  // REQUIRES: size is at least 1. There is no winner before Rebuild.
  explicit LoserTree(size_t size) : size_(size), losers_(size), winners_(size) {
    assert(size >= 1);
  }

  // Plays every match. `before(a, b)` says whether player a comes before player
  // b; it must be a strict total order.
  template <typename Before>
  void Rebuild(const Before& before) {
    winner_ = 0;
    for (size_t node = size_ - 1; node >= 1; --node) {
      size_t first = WinnerAt(2 * node);
      size_t second = WinnerAt(2 * node + 1);
      if (before(second, first)) std::swap(first, second);
      winners_[node] = first;
      losers_[node] = second;
      winner_ = first;
    }
  }

  // Plays the winner's matches again, after it alone has changed.
  template <typename Before>
  void Replay(const Before& before) {
    size_t player = winner_;
    for (size_t node = (size_ + player) / 2; node >= 1; node /= 2) {
      if (before(losers_[node], player)) std::swap(losers_[node], player);
    }
    winner_ = player;
  }

  size_t winner() const { return winner_; }

 private:
  size_t WinnerAt(size_t node) const {
    return node >= size_ ? node - size_ : winners_[node];
  }

  const size_t size_;
  std::vector<size_t> losers_;   // by inner node; element 0 is unused
  std::vector<size_t> winners_;  // the same, for Rebuild
  size_t winner_ = 0;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_LOSER_TREE_H_
