// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Sharding functions by name, and what may carry which name.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/slice.h"
#include "shardingdb/custom_sharding.h"
#include "shardingdb/prefix_sharding.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {
namespace {

// The functions without parameters, by name.
class Registry {
 public:
  Registry() {
    for (const ShardingFuncPtr& function :
         {JumpSharding(), MurmurSharding(), Sha256Sharding(), XorSharding()}) {
      builtin_.emplace(function->name(), function);
    }
  }

  ShardingFuncPtr FindBuiltin(absl::string_view name) const {
    const auto it = builtin_.find(std::string(name));
    return it == builtin_.end() ? nullptr : it->second;
  }

  ShardingFuncPtr FindRegistered(absl::string_view name) {
    absl::MutexLock lock(&mutex_);
    const auto it = registered_.find(std::string(name));
    return it == registered_.end() ? nullptr : it->second;
  }

  // Returns the function that has the name now: `function`, or an older one.
  ShardingFuncPtr Add(const ShardingFuncPtr& function) {
    absl::MutexLock lock(&mutex_);
    return registered_.emplace(function->name(), function).first->second;
  }

  std::string Names() {
    std::string names =
        "jump, murmur, sha256, xor, prefix:delimiter=XX, "
        "prefix:length=N";
    absl::MutexLock lock(&mutex_);
    for (const auto& [name, function] : registered_) {
      absl::StrAppend(&names, ", ", name);
    }
    return names;
  }

 private:
  std::map<std::string, ShardingFuncPtr> builtin_;

  absl::Mutex mutex_;
  std::map<std::string, ShardingFuncPtr> registered_ ABSL_GUARDED_BY(mutex_);
};

Registry& GetRegistry() {
  static Registry* const registry = new Registry();
  return *registry;
}

// "prefix" and all names that could be one with parameters.
bool IsPrefixName(absl::string_view name) {
  return name == kPrefixShardingName ||
         absl::StartsWith(name, absl::StrCat(kPrefixShardingName, ":"));
}

}  // namespace

ShardingFuncPtr CustomSharding(
    std::string name,
    std::function<uint32_t(const leveldb::Slice& key, uint32_t shard_count)>
        shard_of) {
  return std::make_shared<CallableSharding>(std::move(name),
                                            std::move(shard_of));
}

absl::Status CheckShardingFunc(const ShardingFuncPtr& function) {
  if (function == nullptr) {
    return absl::InvalidArgumentError("the sharding function is null");
  }
  const std::string& name = function->name();
  const absl::Status name_status = CheckShardingFuncName(name);
  if (!name_status.ok()) return name_status;

  if (const auto* prefix =
          dynamic_cast<const AnyPrefixSharding*>(function.get())) {
    if (prefix->IsPossible()) return absl::OkStatus();
    return ParsePrefixSharding(name).status();
  }
  const ShardingFuncPtr builtin = GetRegistry().FindBuiltin(name);
  if (IsPrefixName(name) || (builtin != nullptr && builtin != function)) {
    return absl::InvalidArgumentError(
        absl::StrCat("sharding function name \"", name,
                     "\" belongs to a built-in function"));
  }
  const auto* custom = dynamic_cast<const CallableSharding*>(function.get());
  if (custom != nullptr && !custom->has_callable()) {
    return absl::InvalidArgumentError(
        absl::StrCat("sharding function \"", name, "\" has nothing to call"));
  }
  return absl::OkStatus();
}

absl::Status RegisterShardingFunc(ShardingFuncPtr function) {
  const absl::Status status = CheckShardingFunc(function);
  if (!status.ok()) return status;
  // Built-in functions are known without it.
  if (GetRegistry().FindBuiltin(function->name()) != nullptr ||
      IsPrefixName(function->name())) {
    return absl::OkStatus();
  }
  if (GetRegistry().Add(function) != function) {
    return absl::AlreadyExistsError(
        absl::StrCat("sharding function name \"", function->name(),
                     "\" is taken by another function"));
  }
  return absl::OkStatus();
}

absl::StatusOr<ShardingFuncPtr> ShardingFuncByName(absl::string_view name) {
  if (IsPrefixName(name)) return ParsePrefixSharding(name);
  ShardingFuncPtr function = GetRegistry().FindBuiltin(name);
  if (function == nullptr) function = GetRegistry().FindRegistered(name);
  if (function != nullptr) return function;
  return absl::NotFoundError(
      absl::StrCat("no sharding function is called \"", absl::CHexEscape(name),
                   "\"; there are ", GetRegistry().Names()));
}

}  // namespace shardingdb
