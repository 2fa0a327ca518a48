// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/sharding_db_builder.h"

#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "crypto/compressing_aead.h"
#include "crypto/key_ring.h"
#include "crypto/unsealed_codec.h"
#include "shardingdb/batch_splitter.h"
#include "shardingdb/commit_log.h"
#include "shardingdb/commit_recovery.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/encrypted_db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/opaque_keys_handle.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/set_labels.h"
#include "shardingdb/set_layout.h"
#include "shardingdb/shard_label.h"
#include "shardingdb/shard_opener.h"
#include "shardingdb/shard_router.h"
#include "shardingdb/shared_resources.h"
#include "shardingdb/status.h"
#include "shardingdb/taken_shards.h"

namespace shardingdb {

struct ShardingDbBuilder::Parts {
  std::optional<std::vector<std::unique_ptr<DbHandle>>> handles;
  std::optional<std::vector<std::string>> paths;
  ShardingFuncPtr sharding_func = JumpSharding();
  std::optional<std::shared_ptr<const Aead>> aead;
  std::optional<std::shared_ptr<const KeyPrf>> key_prf;
  std::optional<Compression> value_compression;
  std::optional<std::string> adoption;
  std::optional<leveldb::Options> options;
  std::optional<uint64_t> memory_budget_bytes;
  std::optional<CommitLogOptions> commit_log;
  bool read_only = false;
  std::shared_ptr<leveldb::Logger> logger;

  bool compresses_values() const {
    return value_compression.value_or(Compression::kNone) != Compression::kNone;
  }

  // What values are stored through; null if as they are.
  std::shared_ptr<const Aead> Codec() const;

  // What the shards are to be; without the comparator.
  SetLayoutWanted Wanted() const;
};

namespace {

// InvalidArgument for a null handle and one that is given twice, which would be
// deleted twice: only the first of each is kept.
absl::Status CheckHandles(std::vector<std::unique_ptr<DbHandle>>* handles) {
  absl::Status status;
  absl::flat_hash_map<const DbHandle*, size_t> seen;
  for (size_t i = 0; i < handles->size(); ++i) {
    std::unique_ptr<DbHandle>& handle = (*handles)[i];
    if (handle == nullptr) {
      status.Update(absl::InvalidArgumentError(
          absl::StrCat("shard ", i, " is a null handle")));
      continue;
    }
    const auto [first, is_new] = seen.emplace(handle.get(), i);
    if (is_new) continue;
    static_cast<void>(handle.release());
    status.Update(absl::InvalidArgumentError(absl::StrCat(
        "shard ", i, " is the same handle as shard ", first->second)));
  }
  return status;
}

// Notices shards in another order, or of another number or function, before
// anything is written among them: looks at the first few keys of each.
absl::Status CheckPlaces(const ShardingFunc& function,
                         const std::vector<std::unique_ptr<DbHandle>>& shards) {
  constexpr int kSample = 8;
  const auto shard_count = static_cast<uint32_t>(shards.size());
  leveldb::ReadOptions options;
  options.fill_cache = false;
  for (uint32_t shard = 0; shard < shard_count && shard_count > 1; ++shard) {
    const std::unique_ptr<leveldb::Iterator> iterator(
        shards[shard]->NewIterator(options));
    iterator->SeekToFirst();
    for (int i = 0; i < kSample && iterator->Valid(); ++i, iterator->Next()) {
      if (IsReservedKey(iterator->key())) continue;
      uint32_t owner;
      const leveldb::Status located =
          Locate(function, iterator->key(), shard_count, &owner);
      if (!located.ok()) return ToAbslStatus(located);
      if (owner == shard) continue;
      return absl::FailedPreconditionError(absl::StrCat(
          "shard ", shard, " holds the key ", DescribeKey(iterator->key()),
          ", which belongs into shard ", owner, " of ", shard_count,
          " by the sharding function \"", function.name(),
          "\": are these all shards of the set, in their order, and is it "
          "their function? (An entry that is in the wrong shard is put right "
          "by reshard)"));
    }
  }
  return absl::OkStatus();
}

absl::Status OldDataOnly(const ShardingFunc& function) {
  return absl::FailedPreconditionError(absl::StrCat(
      "sharding function \"", function.name(),
      "\" is for reading old data only, and these shards are new: ",
      "use another one, such as JumpSharding()"));
}

leveldb::Options DefaultOptions() {
  leveldb::Options options;
  options.create_if_missing = true;
  return options;
}

}  // namespace

std::shared_ptr<const Aead> ShardingDbBuilder::Parts::Codec() const {
  if (!aead.has_value()) {
    if (!compresses_values()) return nullptr;
    return std::make_shared<UnsealedCodec>(*value_compression);
  }
  std::shared_ptr<const Aead> codec = *aead;
  if (auto key_ring = std::dynamic_pointer_cast<const KeyRing>(codec);
      key_ring != nullptr && value_compression != Compression::kNone) {
    codec = std::make_shared<CompressingAead>(
        std::move(key_ring), value_compression.value_or(Compression::kSnappy));
  }
  if (key_prf.has_value())
    codec = AeadForOpaqueKeys(std::move(codec), *key_prf);
  return codec;
}

SetLayoutWanted ShardingDbBuilder::Parts::Wanted() const {
  SetLayoutWanted wanted;
  wanted.function = sharding_func;
  wanted.values = aead.has_value()      ? ValuesForm::kSealed
                  : compresses_values() ? ValuesForm::kCompressed
                                        : ValuesForm::kPlain;
  wanted.opaque_keys = key_prf.has_value();
  wanted.aead = Codec();
  wanted.read_only = read_only;
  wanted.adoption = adoption.has_value();
  return wanted;
}

ShardingDbBuilder::ShardingDbBuilder() = default;
ShardingDbBuilder::~ShardingDbBuilder() = default;
ShardingDbBuilder::ShardingDbBuilder(ShardingDbBuilder&&) noexcept = default;
ShardingDbBuilder& ShardingDbBuilder::operator=(ShardingDbBuilder&&) noexcept =
    default;

ShardingDbBuilder::Parts& ShardingDbBuilder::remembered() {
  if (parts_ == nullptr) parts_ = std::make_unique<Parts>();
  return *parts_;
}

ShardingDbBuilder& ShardingDbBuilder::WithDbHandles(
    std::vector<std::unique_ptr<DbHandle>> shards) {
  remembered().handles = std::move(shards);
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithDbPaths(
    std::vector<std::string> paths) {
  remembered().paths = std::move(paths);
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithShardingFunc(
    ShardingFuncPtr sharding_func) {
  remembered().sharding_func = std::move(sharding_func);
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithAdoption(
    std::string sharding_func_name) {
  remembered().adoption = std::move(sharding_func_name);
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithEncryption(
    std::shared_ptr<const Aead> aead) {
  remembered().aead = std::move(aead);
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithOpaqueKeys(
    std::shared_ptr<const KeyPrf> key_prf) {
  remembered().key_prf = std::move(key_prf);
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithValueCompression(
    Compression compression) {
  remembered().value_compression = compression;
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithOptions(
    const leveldb::Options& options) {
  remembered().options = options;
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithCommitLog(CommitLogOptions options) {
  remembered().commit_log = std::move(options);
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithReadOnly() {
  remembered().read_only = true;
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithMemoryBudget(uint64_t bytes) {
  remembered().memory_budget_bytes = bytes;
  return *this;
}

ShardingDbBuilder& ShardingDbBuilder::WithLogger(
    std::shared_ptr<leveldb::Logger> logger) {
  remembered().logger = std::move(logger);
  return *this;
}

absl::StatusOr<std::unique_ptr<ShardingDb>> ShardingDbBuilder::Build() {
  const std::unique_ptr<Parts> parts =
      std::make_unique<Parts>(std::move(remembered()));
  parts_.reset();
  absl::Status status = CheckParts(parts.get());
  if (!status.ok()) return status;

  // The data path, from the bottom up.
  SetLayoutWanted wanted = parts->Wanted();
  const std::shared_ptr<const Aead> codec = wanted.aead;
  absl::StatusOr<OpenedSet> set =
      parts->handles.has_value()
          ? TakeShards(*std::move(parts->handles), std::move(wanted))
          : OpenPaths(parts.get(), std::move(wanted));
  if (!set.ok()) return set.status();
  std::vector<std::unique_ptr<DbHandle>>& shards = set->shards;
  status = CheckPlaces(*parts->sharding_func, shards);
  if (!status.ok()) return status;
  for (size_t i = 0; i < shards.size() && codec != nullptr; ++i) {
    status = CheckValuesOpen(shards[i].get(), *codec);
    if (!status.ok()) return Annotate(status, absl::StrCat("shard ", i));
  }
  const auto shard_count = static_cast<uint32_t>(shards.size());
  std::vector<DbHandle*> handles;
  for (const std::unique_ptr<DbHandle>& shard : shards)
    handles.push_back(shard.get());
  const DbStats of_users = Difference(CountsOf(handles), set->counted);
  absl::StatusOr<std::unique_ptr<CommitLog>> commit_log =
      OpenCommitLog(*parts, shards);
  if (!commit_log.ok()) return commit_log.status();
  const DbStats not_of_users = Difference(CountsOf(handles), of_users);
  absl::StatusOr<std::unique_ptr<ShardRouter>> router = ShardRouter::New(
      std::move(shards), parts->sharding_func, *std::move(commit_log));
  if (!router.ok()) return router.status();
  (*router)->LeaveOut(not_of_users);
  ShardingDb::Layers layers;
  layers.router = router->get();
  layers.read_only = parts->read_only;
  layers.top = *std::move(router);
  if (codec != nullptr) {
    absl::StatusOr<std::unique_ptr<EncryptedDbHandle>> encrypted =
        EncryptedDbHandle::New(std::move(layers.top), codec,
                               [function = parts->sharding_func,
                                shard_count](const leveldb::Slice& key) {
                                 return absl::StrCat(
                                     "shard ",
                                     function->ShardOf(key, shard_count));
                               });
    if (!encrypted.ok()) return encrypted.status();
    if (parts->aead.has_value()) layers.encrypted = encrypted->get();
    layers.top = *std::move(encrypted);
  }
  if (parts->key_prf.has_value()) {
    absl::StatusOr<std::unique_ptr<OpaqueKeysHandle>> opaque =
        OpaqueKeysHandle::New(std::move(layers.top), *parts->key_prf);
    if (!opaque.ok()) return opaque.status();
    layers.top = *std::move(opaque);
  }

  if (parts->read_only) {
    const leveldb::Status status = layers.router->SetReadOnly(true);
    if (!status.ok()) return ToAbslStatus(status);
  }
  if (parts->logger != nullptr) {
    leveldb::Log(parts->logger.get(),
                 "shardingdb: open: %u shards, sharding function %s, values "
                 "%s, keys %s",
                 shard_count, parts->sharding_func->name().c_str(),
                 parts->aead.has_value()      ? "sealed"
                 : parts->compresses_values() ? "compressed"
                                              : "as they are",
                 parts->key_prf.has_value() ? "opaque" : "as they are");
  }
  return std::unique_ptr<ShardingDb>(
      new ShardingDb(std::move(layers), parts->sharding_func, parts->logger));
}

absl::Status ShardingDbBuilder::CheckParts(Parts* parts) {
  if (parts->handles.has_value()) {
    const absl::Status status = CheckHandles(&*parts->handles);
    if (!status.ok()) return status;
  }
  if (parts->handles.has_value() == parts->paths.has_value()) {
    return absl::InvalidArgumentError(
        parts->paths.has_value()
            ? "both WithDbHandles and WithDbPaths are given: name the shards "
              "once"
            : "no shards: give WithDbHandles or WithDbPaths");
  }
  if (parts->handles.has_value() &&
      (parts->options.has_value() || parts->memory_budget_bytes.has_value() ||
       parts->read_only)) {
    return absl::InvalidArgumentError(
        "WithOptions, WithMemoryBudget and WithReadOnly are for folders that "
        "Build opens: give them to OpenLevelDb for handles");
  }
  if (parts->commit_log.has_value() &&
      (parts->commit_log->folder.empty() || parts->read_only)) {
    return absl::InvalidArgumentError(
        parts->read_only ? "WithCommitLog is for sets that are written: a set "
                           "that was closed is read without"
                         : "the folder of the commit log has no name");
  }
  if (parts->compresses_values() &&
      parts->value_compression != Compression::kSnappy &&
      parts->value_compression != Compression::kZstd) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no value compression of number ",
                     static_cast<int>(*parts->value_compression)));
  }
  if (parts->aead.has_value() && *parts->aead == nullptr) {
    return absl::InvalidArgumentError(
        "the Aead for encryption is null: leave WithEncryption out to store "
        "plain values");
  }
  if (parts->key_prf.has_value() &&
      (*parts->key_prf == nullptr || !parts->aead.has_value())) {
    return absl::InvalidArgumentError(
        *parts->key_prf == nullptr
            ? "the KeyPrf for opaque keys is null"
            : "WithOpaqueKeys needs WithEncryption: keys are kept in sealed "
              "values");
  }
  if (parts->compresses_values() && parts->aead.has_value() &&
      std::dynamic_pointer_cast<const KeyRing>(*parts->aead) == nullptr) {
    return absl::InvalidArgumentError(
        "WithValueCompression is for a KeyRing or without encryption: another "
        "Aead compresses what it seals by itself");
  }
  const absl::Status status = CheckShardingFunc(parts->sharding_func);
  if (!status.ok()) return status;
  if (parts->adoption.has_value() &&
      *parts->adoption != parts->sharding_func->name()) {
    return absl::InvalidArgumentError(
        absl::StrCat("WithAdoption names the sharding function \"",
                     *parts->adoption, "\", and that of the database is \"",
                     parts->sharding_func->name(), "\""));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<CommitLog>> ShardingDbBuilder::OpenCommitLog(
    const Parts& parts, const std::vector<std::unique_ptr<DbHandle>>& shards) {
  if (!parts.commit_log.has_value()) {
    const absl::Status status = LeaveCommitLog(shards, parts.read_only);
    if (!status.ok()) return status;
    return nullptr;
  }
  CommitLog::Options options;
  options.folder = parts.commit_log->folder;
  options.accept_loss = parts.commit_log->accept_loss;
  options.segment_bytes = parts.commit_log->segment_bytes;
  if (parts.options.has_value()) options.env = parts.options->env;
  return RecoverSet(options, *parts.sharding_func, shards);
}

absl::StatusOr<OpenedSet> ShardingDbBuilder::OpenPaths(Parts* parts,
                                                       SetLayoutWanted wanted) {
  ShardOptions options;
  options.leveldb = parts->options.value_or(DefaultOptions());
  if (parts->aead.has_value() || parts->compresses_values())
    options.leveldb.compression = leveldb::kNoCompression;
  options.logger = parts->logger;
  options.read_only = parts->read_only;
  ResourceOptions resources;
  resources.shard_count = static_cast<uint32_t>(parts->paths->size());
  if (parts->memory_budget_bytes.has_value())
    resources.memory_budget_bytes = *parts->memory_budget_bytes;
  resources.env = options.leveldb.env;
  // A function for old data must not leave new databases behind.
  const bool old_data_only = !parts->sharding_func->allowed_for_new_sets();
  if (old_data_only || parts->read_only)
    options.leveldb.create_if_missing = false;
  if (const leveldb::Comparator* order = options.leveldb.comparator) {
    wanted.comparator = order->Name();
    // Before anything is written; OpaqueKeysHandle::New would refuse it too.
    const absl::Status status =
        wanted.opaque_keys ? CheckOrderForOpaqueKeys(order) : absl::OkStatus();
    if (!status.ok()) return status;
  }
  absl::StatusOr<OpenedSet> set =
      OpenShards(*parts->paths, options, resources, wanted);
  if (old_data_only && absl::IsNotFound(set.status()))
    return OldDataOnly(*parts->sharding_func);
  return set;
}

}  // namespace shardingdb
