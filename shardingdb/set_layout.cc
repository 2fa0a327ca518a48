// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/set_layout.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

using Contents = FoundShard::Contents;
using Found = std::vector<FoundShard>;

constexpr size_t kNone = static_cast<size_t>(-1);

absl::Status Refused(const FoundShard& place, absl::string_view why) {
  return AnnotatePath(absl::FailedPreconditionError(why), place.name);
}

// That are of no set for certain: nobody looks into a shard whose label is
// stable, which all shards of its set have been ready for.
bool HasEntries(const FoundShard& place) {
  return place.contents == Contents::kEntries &&
         !(place.label.has_value() && place.label->stable);
}

bool AnyHasEntries(const Found& found) {
  return std::any_of(found.begin(), found.end(), HasEntries);
}

// The first place with a label; kNone if no place has one.
size_t FirstLabelled(const Found& found) {
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].label.has_value()) return i;
  }
  return kNone;
}

absl::Status CheckReadable(const Found& found) {
  for (const FoundShard& place : found) {
    if (place.label_error.ok()) continue;
    return AnnotatePath(
        absl::Status(place.label_error.code(),
                     absl::StrCat("its label: ", place.label_error.message())),
        place.name);
  }
  return absl::OkStatus();
}

// What a label says of the set, apart from the shard: `differs` in messages.
struct SetField {
  absl::string_view name;
  std::string (*of)(const ShardLabel& label);
};

std::string KeysOf(bool opaque) { return opaque ? "opaque" : "clear"; }

const SetField kSetFields[] = {
    {"of the set", [](const ShardLabel& label) { return label.set_id; }},
    {"of epoch",
     [](const ShardLabel& label) { return absl::StrCat(label.epoch); }},
    {"of a set with this number of shards:",
     [](const ShardLabel& label) { return absl::StrCat(label.shard_count); }},
    {"of a set with the sharding function",
     [](const ShardLabel& label) { return label.function; }},
    {"of a set with the comparator",
     [](const ShardLabel& label) { return label.comparator; }},
};

// The labels that are there belong to one set, and each to another shard.
absl::Status CheckLabelsAgree(const Found& found, size_t first) {
  const ShardLabel& expected = *found[first].label;
  std::vector<size_t> place_of_shard(expected.shard_count, kNone);
  const FoundShard* form = nullptr;  // the first that knows how values are
  for (size_t i = first; i < found.size(); ++i) {
    if (!found[i].label.has_value()) continue;
    const ShardLabel& label = *found[i].label;
    for (const SetField& field : kSetFields) {
      const std::string here = field.of(label);
      const std::string there = field.of(expected);
      if (here == there) continue;
      return Refused(found[i], absl::StrCat("is ", field.name, " ", here,
                                            ", but ", found[first].name, " is ",
                                            field.name, " ", there));
    }
    size_t& place = place_of_shard[label.shard];
    if (place != kNone) {
      return Refused(found[i], absl::StrCat("is ", PlaceOf(label),
                                            ", and so is ", found[place].name));
    }
    place = i;
    if (label.values == ValuesForm::kUnknown) continue;
    if (form == nullptr) form = &found[i];
    if (label.values != form->label->values ||
        label.opaque_keys != form->label->opaque_keys) {
      return Refused(
          found[i],
          absl::StrCat("holds ", NameOf(label.values), " values under ",
                       KeysOf(label.opaque_keys), " keys, but ", form->name,
                       " holds ", NameOf(form->label->values), " values under ",
                       KeysOf(form->label->opaque_keys), " keys"));
    }
  }
  return absl::OkStatus();
}

// "2 folders, but /a is shard 0 of 3: missing shard 1, 2"
absl::Status WrongCount(const Found& found, size_t first) {
  const ShardLabel& label = *found[first].label;
  std::vector<bool> there(label.shard_count);
  for (const FoundShard& place : found) {
    if (place.label.has_value()) there[place.label->shard] = true;
  }
  constexpr int kShown = 10;
  std::string missing;
  int count = 0;
  for (size_t shard = 0; shard < there.size(); ++shard) {
    if (there[shard] || ++count > kShown) continue;
    absl::StrAppend(&missing, missing.empty() ? "" : ", ", shard);
  }
  if (count > kShown) absl::StrAppend(&missing, ", ...");
  return absl::FailedPreconditionError(absl::StrCat(
      found.size(), found.size() == 1 ? " shard is given" : " shards are given",
      ", but ", found[first].name, " is ", PlaceOf(label),
      missing.empty() ? "" : ": missing shard ", missing,
      " (reshard changes how many there are)"));
}

// The labels that are there are of the layout that is wanted.
absl::Status CheckLabelsSuit(const Found& found, const SetLayoutWanted& wanted,
                             bool* complete) {
  *complete = true;
  for (const FoundShard& place : found) {
    if (!place.label.has_value()) continue;
    const ShardLabel& label = *place.label;
    if (label.function != wanted.function->name()) {
      return Refused(
          place,
          absl::StrCat("is a shard by the sharding function \"", label.function,
                       "\", not \"", wanted.function->name(),
                       "\" (reshard changes the function)"));
    }
    if (label.comparator != wanted.comparator) {
      return Refused(place,
                     absl::StrCat("has the comparator \"", label.comparator,
                                  "\", not \"", wanted.comparator, "\""));
    }
    if (label.values == ValuesForm::kUnknown) {
      *complete = false;
      continue;
    }
    if (label.values != wanted.values) {
      return Refused(
          place, absl::StrCat("holds ", NameOf(label.values), " values, not ",
                              NameOf(wanted.values),
                              " ones (reshard changes how they are stored)"));
    }
    if (label.opaque_keys != wanted.opaque_keys) {
      return Refused(place, absl::StrCat("holds ", KeysOf(label.opaque_keys),
                                         " keys, not ",
                                         KeysOf(wanted.opaque_keys), " ones"));
    }
    if (label.key_check.empty() || wanted.aead == nullptr) continue;
    std::string opened;
    const absl::Status status =
        wanted.aead->Open(label.key_check, KeyCheckKey(), &opened);
    if (absl::IsFailedPrecondition(status)) {
      return AnnotatePath(status, place.name);
    }
    if (!status.ok()) {
      return Refused(place, absl::StrCat("wrong key: the key check of the set "
                                         "does not open (",
                                         status.message(), ")"));
    }
  }
  return absl::OkStatus();
}

absl::Status Unlabelled(const Found& found, size_t place, size_t first) {
  const bool missing = found[place].contents == Contents::kNoDatabase;
  return Refused(
      found[place],
      absl::StrCat(missing ? "there is no database" : "has no label", ", but ",
                   found[first].name, " is ", PlaceOf(*found[first].label),
                   missing
                       ? ": it is not mounted, was lost, or is not of this set "
                         "(reshard adds shards to a set)"
                       : ": it is not of this set, or not what it was (reshard "
                         "adds shards to a set)"));
}

// Databases with entries, which are to become shards with the number of their
// place.
absl::Status CheckAdoption(const Found& found, const SetLayoutWanted& wanted) {
  for (const FoundShard& place : found) {
    if (!HasEntries(place)) continue;
    if (!wanted.adoption && found.size() > 1) {
      return Refused(
          place,
          absl::StrCat("holds entries",
                       place.label.has_value()
                           ? ", but its set was never labelled as a whole: "
                           : " and no label: it was made by LevelDB, or before "
                             "there were labels. ",
                       "ShardingDbBuilder::WithAdoption(\"",
                       wanted.function->name(),
                       "\") takes such databases for a set, in the order in "
                       "which they are given, if every key is in its place"));
    }
    if (!place.not_adoptable.ok()) {
      return AnnotatePath(place.not_adoptable, place.name);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<SetLayout> WithoutLabels(const Found& found,
                                        const SetLayoutWanted& wanted,
                                        SetLayout layout) {
  const auto place_with = [&](auto wanted_contents) {
    return std::find_if(found.begin(), found.end(),
                        [&](const FoundShard& place) {
                          return wanted_contents(place.contents);
                        }) -
           found.begin();
  };
  const auto missing = static_cast<size_t>(
      place_with([](Contents c) { return c == Contents::kNoDatabase; }));
  const auto written = static_cast<size_t>(place_with([](Contents c) {
    return c == Contents::kEmpty || c == Contents::kEntries;
  }));
  if (missing < found.size() && written < found.size()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "shard ", missing, ": ", found[missing].name,
        ": no database, but shard ", written, ", ", found[written].name,
        ", has been written: it is not mounted, was lost, or is "
        "not of this set (reshard adds shards to a set)"));
  }
  if (!AnyHasEntries(found) && !wanted.function->allowed_for_new_sets()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "sharding function \"", wanted.function->name(),
        "\" is for reading old data only, and these shards are new: use "
        "another one, such as JumpSharding()"));
  }
  if (wanted.read_only) return layout;
  const absl::Status status = CheckAdoption(found, wanted);
  if (!status.ok()) return status;
  layout.labels = SetLayout::Labels::kNew;
  layout.adopts = AnyHasEntries(found);
  return layout;
}

// Labels of a set whose first ones were not all written.
absl::StatusOr<SetLayout> Unfinished(const Found& found, size_t first,
                                     const SetLayoutWanted& wanted,
                                     SetLayout layout) {
  if (wanted.read_only) {
    return Refused(found[first],
                   "its set was not made to the end: open it to write, once");
  }
  absl::Status status = CheckAdoption(found, wanted);
  if (!status.ok()) return status;
  if (AnyHasEntries(found)) {
    // What was looked at is where each key is in the order given.
    for (size_t i = 0; i < found.size(); ++i) {
      if (!found[i].label.has_value() || found[i].label->shard == i) continue;
      return Refused(
          found[i],
          absl::StrCat("is ", PlaceOf(*found[i].label), ", not shard ", i,
                       ": give the databases in the order in "
                       "which their adoption began"));
    }
  }
  layout.labels = SetLayout::Labels::kFinish;
  layout.adopts =
      AnyHasEntries(found) ||
      std::any_of(found.begin(), found.end(), [](const FoundShard& place) {
        return place.label.has_value() &&
               place.label->values == ValuesForm::kUnknown;
      });
  return layout;
}

}  // namespace

absl::StatusOr<SetLayout> DecideLayout(const std::vector<FoundShard>& found,
                                       const SetLayoutWanted& wanted) {
  absl::Status status = CheckReadable(found);
  if (!status.ok()) return status;
  SetLayout layout;
  layout.place_of_shard.resize(found.size());
  for (size_t i = 0; i < found.size(); ++i) layout.place_of_shard[i] = i;
  const size_t first = FirstLabelled(found);
  if (first == kNone) return WithoutLabels(found, wanted, std::move(layout));

  status = CheckLabelsAgree(found, first);
  if (!status.ok()) return status;
  const ShardLabel& label = *found[first].label;
  if (label.shard_count != found.size()) return WrongCount(found, first);
  bool unfinished = false;
  bool all_unfinished = true;
  std::vector<bool> taken(found.size());
  size_t unlabelled = kNone;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i].label.has_value()) {
      if (unlabelled == kNone) unlabelled = i;
      continue;
    }
    unfinished = unfinished || !found[i].label->stable;
    all_unfinished = all_unfinished && !found[i].label->stable;
    layout.place_of_shard[found[i].label->shard] = i;
    taken[found[i].label->shard] = true;
  }
  if (unlabelled != kNone && !all_unfinished) {
    return Unlabelled(found, unlabelled, first);
  }
  // Places without a label become the shards that are left, in their order.
  for (size_t shard = 0; shard < found.size(); ++shard) {
    if (taken[shard]) continue;
    layout.place_of_shard[shard] = unlabelled++;
    while (unlabelled < found.size() && found[unlabelled].label.has_value()) {
      ++unlabelled;
    }
  }
  bool complete = true;
  status = CheckLabelsSuit(found, wanted, &complete);
  if (!status.ok()) return status;
  layout.set_id = label.set_id;
  layout.epoch = label.epoch;
  if (unfinished) return Unfinished(found, first, wanted, std::move(layout));
  // Values that open say in which form they are; plain ones say nothing.
  if (complete || wanted.read_only || wanted.aead == nullptr) return layout;
  for (const FoundShard& place : found) {
    if (place.not_adoptable.ok()) continue;
    return AnnotatePath(place.not_adoptable, place.name);
  }
  layout.labels = SetLayout::Labels::kComplete;
  return layout;
}

absl::Status CheckOneSet(const std::vector<FoundShard>& all,
                         bool allow_missing) {
  Found found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [](const FoundShard& place) {
                 return place.label.has_value() || !place.label_error.ok() ||
                        HasEntries(place);
               });
  absl::Status status = CheckReadable(found);
  const size_t first = FirstLabelled(found);
  if (!status.ok() || first == kNone) return status;
  status = CheckLabelsAgree(found, first);
  if (!status.ok()) return status;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i].label.has_value()) return Unlabelled(found, i, first);
    if (!found[i].label->stable) {
      return Refused(found[i],
                     "its set was not made to the end: open it with a program, "
                     "which finishes that");
    }
  }
  return found.size() == found[first].label->shard_count || allow_missing
             ? absl::OkStatus()
             : WrongCount(found, first);
}

}  // namespace shardingdb
