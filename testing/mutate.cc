// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/mutate.h"

namespace shardingdb {

std::string RandomText(size_t max_size, std::mt19937* random) {
  std::string text((*random)() % (max_size + 1), '\0');
  for (char& c : text) c = static_cast<char>((*random)());
  return text;
}

std::string Mutate(std::string text, std::mt19937* random) {
  const auto below = [random](size_t limit) { return (*random)() % limit; };
  for (size_t changes = 1 + below(3); changes > 0; --changes) {
    const size_t at = below(text.size() + 1);
    switch (below(7)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>((*random)());
        break;
      case 1:
        if (at < text.size()) text[at] ^= static_cast<char>(1 << below(8));
        break;
      case 2:
        text.erase(at, 1 + below(8));
        break;
      case 3:
        text.insert(at, RandomText(8, random));
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text += text.substr(at);
        break;
      case 6:
        text.replace(at, below(40),
                     text.substr(below(text.size() + 1), below(40)));
        break;
    }
  }
  return text;
}

}  // namespace shardingdb
