// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/keyring_command.h"

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "crypto/decimal.h"
#include "crypto/file_of_ring.h"
#include "crypto/kek.h"
#include "crypto/key_ring_file.h"
#include "crypto/passphrase_kek.h"
#include "crypto/raw_kek.h"
#include "crypto/replace_file.h"
#include "crypto/secret_bytes.h"

namespace shardingdb::crypto_internal {
namespace {

constexpr absl::string_view kUsage =
    R"(Makes and changes a key ring on disk.

  bazel run //crypto:keyring -- COMMAND --ring=PATH KEK

  create       make the ring, with one random key
  list         show the keys' ids, never the keys
  check        read all of the ring and verify it
  rotate       add a random key and seal with it from now on
  rewrap       put the ring under another KEK: NEW-KEK
  disable ID   have a key refuse to open
  enable ID    have it open again
  drop ID      give a key up for good, once no value needs it: DATABASES

KEK, the key-encryption key, is one of
  --kek-file=FILE        32 bytes in a file that only its owner may use; create
                         and rewrap make it, with a random key, if it is not there
  --kek-env=NAME         64 hexadecimal digits in an environment variable
  --passphrase-env=NAME  a passphrase in an environment variable
  --passphrase           a passphrase, asked for on the terminal

and NEW-KEK the same with new- before it: --new-kek-file=FILE and so on.

DATABASES, for drop, is one of
  --databases=DIRS       the folders of all databases under the ring, with commas
                         between; none may be open, and all values are looked at.
                         //reshard -i DIRS --in-key-ring=PATH --key-ring=PATH
                         seals those anew that still need an older key (with
                         --opaque-keys, if the set has them)
  --without-databases    there are none

A change is whole or not made at all, also after a kill or on a full disk. A
program that has the ring open sees it with the next change that it makes itself,
or when it opens the ring again.

Exit codes: 0 done, 1 usage, 2 storage error or corruption, 3 refused (wrong key,
permissions, another process is changing the ring, not there, there already).
)";

using KekPtr = std::unique_ptr<KekProvider>;

// One run: the command and where its text goes.
struct Run {
  const KeyringCommandLine& line;
  const KeyringEnvironment& environment;

  void Say(absl::string_view text) const {
    environment.out(absl::StrCat("keyring: ", text, "\n"));
  }
  std::string ring() const {
    return PathIn(environment.working_folder, line.ring);
  }
};

// "" if the line can be run.
std::string UsageError(const KeyringCommandLine& line) {
  if (line.words.empty()) return "no command";
  const std::string& command = line.words[0];
  const bool drops = command == "drop";
  const bool has_id = command == "disable" || command == "enable" || drops;
  if (!has_id && command != "create" && command != "list" &&
      command != "check" && command != "rotate" && command != "rewrap") {
    return absl::StrCat("what is '", command, "'?");
  }
  const size_t words = has_id ? 2 : 1;
  if (line.words.size() > words) {
    return absl::StrCat("what is '", line.words[words], "'?");
  }
  if (has_id && (line.words.size() < words ||
                 !DecodeDecimal(line.words[1], UINT32_MAX).has_value())) {
    return absl::StrCat(command, ": the id of a key must follow");
  }
  if (line.ring.empty()) return "--ring: no path";
  if (CountOf(line.kek) != 1) {
    return absl::StrCat(CountOf(line.kek) == 0 ? "no KEK" : "more than one KEK",
                        ": give one of --kek-file, --kek-env, "
                        "--passphrase-env, --passphrase");
  }
  if (CountOf(line.new_kek) != (command == "rewrap" ? 1 : 0)) {
    return "rewrap, and nothing else, takes one of --new-kek-file, "
           "--new-kek-env, --new-passphrase-env, --new-passphrase";
  }
  if ((line.databases.empty() ? 0 : 1) + (line.without_databases ? 1 : 0) !=
      (drops ? 1 : 0)) {
    return "drop, and nothing else, takes one of --databases and "
           "--without-databases";
  }
  return "";
}

// The same for what `flag` says, if it says anything.
std::string FileError(const Run& run, absl::string_view flag,
                      const KekFlags& kek) {
  if (kek.file.empty()) return "";
  const std::string path = PathIn(run.environment.working_folder, kek.file);
  if (!IsFileOfRing(path, run.ring())) return "";
  return absl::StrCat(flag, ": ", path,
                      " is the ring, or its temporary file, which each change "
                      "of the ring removes; name another one");
}

std::string UsageError(const Run& run) {
  std::string error = UsageError(run.line);
  if (error.empty()) error = FileError(run, "--kek-file", run.line.kek);
  if (error.empty()) error = FileError(run, "--new-kek-file", run.line.new_kek);
  return error;
}

absl::StatusOr<KekPtr> KekOfRun(const Run& run) {
  return KekOf(run.line.kek, run.environment.working_folder,
               run.environment.ask, "Passphrase: ");
}

absl::StatusOr<KekPtr> AskForNewKek(const Run& run) {
  absl::StatusOr<SecretBytes> passphrase =
      run.environment.ask("New passphrase: ");
  if (!passphrase.ok()) return passphrase.status();
  if (passphrase->empty()) {
    return absl::FailedPreconditionError("the passphrase is empty");
  }
  const absl::StatusOr<SecretBytes> again =
      run.environment.ask("The same again: ");
  if (!again.ok()) return again.status();
  if (*again != *passphrase) {
    return absl::FailedPreconditionError("the passphrases differ");
  }
  return NewPassphraseKek(*std::move(passphrase));
}

// A KEK that need not be there yet: a file is made if it is not there, and
// `*made` is then its path.
absl::StatusOr<KekPtr> NewKekOf(const Run& run, const KekFlags& flags,
                                std::string* made) {
  if (flags.passphrase) return AskForNewKek(run);
  const std::string& folder = run.environment.working_folder;
  absl::StatusOr<KekPtr> kek =
      KekOf(flags, folder, run.environment.ask, "Passphrase: ");
  if (flags.file.empty()) return kek;
  const std::string path = PathIn(folder, flags.file);
  if (absl::IsNotFound(kek.status())) {
    absl::Status status = CreateRawKekFile(path);
    if (status.ok()) *made = path;
    // Another process was first: its key is the one.
    if (!status.ok() && !absl::IsAlreadyExists(status)) return status;
    kek = RawKekFromFile(path);
  }
  if (!kek.ok()) return kek.status();
  // A ring must not outlive its KEK, whoever has made that, a moment ago maybe.
  const absl::Status synced = SyncNameOf(path);
  if (!synced.ok()) return synced;
  return kek;
}

// The end of what NewKekOf began. A file that was made stays, also if the ring
// is not under it: another process may have found it and put a ring under it.
void SayMade(const Run& run, const std::string& made, bool done) {
  if (made.empty()) return;
  run.Say(absl::StrCat(
      "made a random key in ", made,
      done ? "; keep a copy of it elsewhere: what is sealed under the ring is "
             "lost without it"
           : ", which stays, as this ring or that of another process may be "
             "under it by now; if none is, it does no harm, and the next try "
             "takes it"));
}

const char* NameOf(const StoredKeyInfo& key) {
  if (key.primary) return "primary";
  switch (key.state) {
    case KeyState::kEnabled:
      return "enabled";
    case KeyState::kDisabled:
      return "disabled";
    case KeyState::kDropped:
      break;
  }
  return "dropped";
}

void List(const Run& run, const KeyRingFile& file) {
  std::string table =
      absl::StrFormat("%10s  %-20s  %s\n", "id", "created", "state");
  for (const StoredKeyInfo& key : file.List()) {
    absl::StrAppendFormat(&table, "%10d  %-20s  %s\n", key.id,
                          absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", key.created,
                                           absl::UTCTimeZone()),
                          NameOf(key));
  }
  run.environment.out(table);
}

void Check(const Run& run, const KeyRingFile& file) {
  int keys = 0;
  int disabled = 0;
  int dropped = 0;
  for (const StoredKeyInfo& key : file.List()) {
    if (key.state == KeyState::kDropped) {
      ++dropped;
      continue;
    }
    ++keys;
    if (key.state == KeyState::kDisabled) ++disabled;
  }
  run.Say(absl::StrFormat("ok: keys=%d disabled=%d dropped=%d primary=%d", keys,
                          disabled, dropped, file.ring()->primary_id()));
}

absl::Status Create(const Run& run) {
  // Before a key is made for it, and a passphrase is asked for.
  struct ::stat found;
  if (::lstat(run.ring().c_str(), &found) == 0) {
    return absl::AlreadyExistsError(
        absl::StrCat(run.ring(), ": is there already"));
  }
  std::string made;
  const absl::StatusOr<KekPtr> kek = NewKekOf(run, run.line.kek, &made);
  if (!kek.ok()) return kek.status();
  const absl::StatusOr<std::unique_ptr<KeyRingFile>> file =
      KeyRingFile::Create(run.ring(), **kek);
  SayMade(run, made, file.ok());
  if (!file.ok()) return file.status();
  run.Say(absl::StrCat("made ", run.ring(), ", key ",
                       (*file)->ring()->primary_id(), " is the primary"));
  return absl::OkStatus();
}

absl::Status Rotate(const Run& run, KeyRingFile* file) {
  const absl::StatusOr<uint32_t> id = file->RotateDataKey();
  if (!id.ok()) return id.status();
  run.Say(absl::StrCat("key ", *id, " is the primary now"));
  return absl::OkStatus();
}

absl::Status Rewrap(const Run& run, const KekProvider& old_kek,
                    KeyRingFile* file) {
  std::string made;
  const absl::StatusOr<KekPtr> kek = NewKekOf(run, run.line.new_kek, &made);
  if (!kek.ok()) return kek.status();
  const absl::Status status = file->Rewrap(**kek);
  SayMade(run, made, status.ok());
  if (!status.ok()) return status;
  run.Say(KeyRingFile::Open(run.ring(), old_kek).ok()
              ? "wrapped anew under the same key as before"
              : "the new key opens the ring now, the old one does not");
  return absl::OkStatus();
}

uint32_t IdOf(const Run& run) {
  return static_cast<uint32_t>(*DecodeDecimal(run.line.words[1], UINT32_MAX));
}

absl::Status Drop(const Run& run, KeyRingFile* file) {
  const uint32_t id = IdOf(run);
  std::unique_ptr<DatabasesAtRest> databases;
  if (!run.line.without_databases) {
    std::vector<std::string> folders;
    for (absl::string_view folder : absl::StrSplit(run.line.databases, ',')) {
      folders.push_back(
          PathIn(run.environment.working_folder, std::string(folder)));
    }
    absl::StatusOr<std::unique_ptr<DatabasesAtRest>> held =
        run.environment.hold_databases(folders);
    if (!held.ok()) return held.status();
    databases = *std::move(held);
  }
  std::set<uint32_t> ring_ids;
  for (const StoredKeyInfo& key : file->List()) ring_ids.insert(key.id);
  const absl::Status status = file->Drop(id, [&] {
    return databases == nullptr ? absl::OkStatus()
                                : databases->CheckKeyUnused(id, ring_ids);
  });
  if (!status.ok()) return status;
  run.Say(absl::StrCat("key ", id, " is dropped"));
  return absl::OkStatus();
}

absl::Status SetState(const Run& run, bool enable, KeyRingFile* file) {
  const uint32_t id = IdOf(run);
  const absl::Status status = enable ? file->Enable(id) : file->Disable(id);
  if (!status.ok()) return status;
  run.Say(absl::StrCat("key ", id, " is ", enable ? "enabled" : "disabled"));
  return absl::OkStatus();
}

absl::Status Do(const Run& run) {
  const std::string& command = run.line.words[0];
  if (command == "create") return Create(run);
  const absl::StatusOr<KekPtr> kek = KekOfRun(run);
  if (!kek.ok()) return kek.status();
  const absl::StatusOr<std::unique_ptr<KeyRingFile>> file =
      KeyRingFile::Open(run.ring(), **kek);
  if (!file.ok()) return file.status();
  if (command == "rotate") return Rotate(run, file->get());
  if (command == "rewrap") return Rewrap(run, **kek, file->get());
  if (command == "disable") return SetState(run, false, file->get());
  if (command == "enable") return SetState(run, true, file->get());
  if (command == "drop") return Drop(run, file->get());
  if (command == "list") {
    List(run, **file);
  } else {
    Check(run, **file);
  }
  return absl::OkStatus();
}

}  // namespace

absl::string_view KeyringUsageText() { return kUsage; }

KeyringExitCode KeyringExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return KeyringExitCode::kDone;
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kInternal:
      return KeyringExitCode::kStorage;
    default:
      return KeyringExitCode::kRefused;
  }
}

KeyringExitCode RunKeyring(const KeyringCommandLine& line,
                           const KeyringEnvironment& environment) {
  const Run run{line, environment};
  const std::string usage_error = UsageError(run);
  if (!usage_error.empty()) {
    environment.err(
        absl::StrCat("keyring: usage error: ", usage_error, "\n", kUsage));
    return KeyringExitCode::kUsage;
  }
  const absl::Status status = Do(run);
  const KeyringExitCode code = KeyringExitCodeOf(status);
  if (status.ok()) return code;
  environment.err(absl::StrCat(
      "keyring: ",
      code == KeyringExitCode::kStorage ? "storage error: " : "refused: ",
      status.message(), "\n"));
  return code;
}

}  // namespace shardingdb::crypto_internal
