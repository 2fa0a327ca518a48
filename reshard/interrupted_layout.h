// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_INTERRUPTED_LAYOUT_H_
#define SHARDINGDB_RESHARD_INTERRUPTED_LAYOUT_H_

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "reshard/test_rings.h"
#include "testing/temp_dir.h"

namespace shardingdb {

// One way to reshard, by names of folders, and how values are stored: as in
// TestRings.
struct Layout {
  std::string name;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string in_values = "plain";
  std::string out_values = "plain";
};

void PrintTo(const Layout& layout, std::ostream* out);

// A migration, growing, shrinking, and all of it at once.
std::vector<Layout> LayoutsToInterrupt();

// Values that get another form, in place and on the way to new folders.
std::vector<Layout> RecodingsToInterrupt();

// Folders for a test that interrupts a reshard again and again: with the same
// content each time, and with everything that must hold afterwards.
class InterruptedLayout {
 public:
  explicit InterruptedLayout(const Layout& layout);

  // How step_killer names the forms of values.
  std::string in_values() const;
  std::string out_values() const;

  // The command. Its batches are small, so that there are many.
  ReshardOptions Options() const;

  // Folders as they were in the beginning.
  void Restore();

  // Checks that nothing is lost after an interruption, whatever the folders
  // look like: the union of all folders is the set, and nobody can open the
  // half of it. For a migration: its inputs are as they were.
  void ExpectNothingLost();

  // If there are markers, but not in an output that has a database, puts an
  // entry there that belongs there, as a program may, and which is part of the
  // set from then on. False if there is no such output.
  bool WriteWhereNotMarked();

  // Checks that the command has done its work: every entry is in its place and
  // nowhere else, and no marker is left.
  void ExpectDone();

  const std::string& path() const { return folders_.path(); }

 private:
  std::vector<std::string> AllFolders() const;
  bool InPlace() const;
  // Entries as a program would read them, values in either form; reserved keys
  // are left out.
  Entries Opened(const Entries& stored) const;
  void ExpectStoredInTheNewForm(const std::string& folder) const;

  const Layout layout_;
  TestRings rings_;
  Entries entries_;
  TempDir original_;
  TempDir folders_;
  std::map<std::string, std::map<std::string, std::string>> inputs_as_restored_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_INTERRUPTED_LAYOUT_H_
