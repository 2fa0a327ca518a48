// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_TEST_RINGS_H_
#define SHARDINGDB_RESHARD_TEST_RINGS_H_

#include <map>
#include <memory>
#include <string>

#include "crypto/kek.h"
#include "crypto/key_ring_file.h"
#include "reshard/generated_set.h"
#include "reshard/value_codec.h"
#include "testing/temp_dir.h"

namespace shardingdb {

// Key rings on disk for tests that change how values are stored. Forms of
// values are named "plain", "compressed", "zstd" (compressed too), "ring" and
// "other"; "opaque:" before a ring means that keys are opaque. A call that
// fails fails the running test.
class TestRings {
 public:
  TestRings();

  // The codec of a form.
  ValueCodec Codec(const std::string& form) const;

  // A word that TestCodec understands in another process.
  std::string Path(const std::string& form) const;
  std::string KekPath() const { return dir_.Join("kek"); }

  // Adds a key to each ring.
  void Rotate();
  KeyRingFile* File(const std::string& form) const;

  // `entries` with values as they are stored in a form.
  Entries Stored(const std::string& form, const Entries& entries) const;

  // A stored value as a program would read it: opened if any form opens it.
  std::string Opened(const std::string& key, const std::string& stored) const;

 private:
  TempDir dir_;
  std::unique_ptr<KekProvider> kek_;
  std::map<std::string, std::unique_ptr<KeyRingFile>> files_;
};

// The codec that TestRings::Path named.
ValueCodec TestCodec(const std::string& path);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_TEST_RINGS_H_
