// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Every header that users include can be had by its label.

#include "crypto/aead.h"
#include "crypto/automatic_rotation.h"
#include "crypto/command_kek.h"
#include "crypto/compressing_aead.h"
#include "crypto/compression.h"
#include "crypto/kek.h"
#include "crypto/key_prf.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_file.h"
#include "crypto/passphrase_kek.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "reshard/multiset_digest.h"
#include "reshard/offline_reshard.h"
#include "reshard/progress.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/rekey.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"
#include "shardingdb/shared_resources.h"
