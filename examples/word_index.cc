// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "examples/word_index.h"

#include <cctype>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"

namespace {

// The keys:
//   line/NNN       -> the text of a line
//   word/WORD/NNN  -> how often the word is in that line
//   count/WORD     -> how often the word is in the whole text
constexpr const char* kText[] = {
    "the key decides the shard and the shard keeps the key",
    "a batch is one even if its keys live in three shards",
    "the snapshot keeps what the reader saw",
    "and the reader goes on while the writer writes",
    "one order of keys over all shards forwards and backwards",
};

std::string Number(int n) {
  char text[8];
  std::snprintf(text, sizeof(text), "%03d", n);
  return text;
}

class WordIndex {
 public:
  WordIndex(leveldb::DB* db, std::ostream* report)
      : db_(db), report_(*report) {}

  // A line and all that the index says of it is one batch.
  void AddLine(int number, const std::string& text) {
    leveldb::WriteBatch batch;
    batch.Put("line/" + Number(number), text);
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const std::string key = "word/" + word + "/" + Number(number);
      // The last Put of a key in a batch counts, so that this may repeat.
      batch.Put(key, std::to_string(CountIn(text, word)));
    }
    Check("add line", db_->Write(leveldb::WriteOptions(), &batch));
  }

  void RemoveLine(int number) {
    std::string text;
    Check("get line",
          db_->Get(leveldb::ReadOptions(), "line/" + Number(number), &text));
    leveldb::WriteBatch batch;
    batch.Delete("line/" + Number(number));
    std::istringstream words(text);
    for (std::string word; words >> word;)
      batch.Delete("word/" + word + "/" + Number(number));
    Check("remove line", db_->Write(leveldb::WriteOptions(), &batch));
    Check("get removed line",
          db_->Get(leveldb::ReadOptions(), "line/" + Number(number), &text));
  }

  // Adds the lines' counts up, word by word, in one pass over "word/".
  void CountWords() {
    const std::unique_ptr<leveldb::Iterator> i = NewIterator(nullptr);
    std::string word;
    int sum = 0;
    for (i->Seek("word/"); i->Valid() && i->key().starts_with("word/");
         i->Next()) {
      const std::string key = i->key().ToString();
      const std::string count = i->value().ToString();
      if (!i->Valid()) break;  // the value does not open
      const std::string next = key.substr(5, key.rfind('/') - 5);
      if (next != word) PutCount(word, sum);
      sum = next == word ? sum : 0;
      word = next;
      sum += std::stoi(count);
    }
    if (i->status().ok()) PutCount(word, sum);
    Check("count words", i->status());
  }

  void Report(const char* title, const char* prefix,
              const leveldb::Snapshot* snapshot) {
    report_ << title << "\n";
    const std::unique_ptr<leveldb::Iterator> i = NewIterator(snapshot);
    for (i->Seek(prefix); i->Valid() && i->key().starts_with(prefix);
         i->Next()) {
      Show(*i);
    }
    Check(title, i->status());
  }

  // The last entries, from the end; then a turn.
  void ReportBackwards(int entries) {
    report_ << "the end, backwards\n";
    const std::unique_ptr<leveldb::Iterator> i = NewIterator(nullptr);
    i->SeekToLast();
    for (int n = 0; n < entries && i->Valid(); ++n, i->Prev()) Show(*i);
    if (i->Valid()) i->Next();
    if (i->Valid()) Show(*i);
    Check("backwards", i->status());
  }

 private:
  static int CountIn(const std::string& text, const std::string& wanted) {
    int count = 0;
    std::istringstream words(text);
    for (std::string word; words >> word;) count += word == wanted ? 1 : 0;
    return count;
  }

  std::unique_ptr<leveldb::Iterator> NewIterator(
      const leveldb::Snapshot* snapshot) {
    leveldb::ReadOptions options;
    options.snapshot = snapshot;
    return std::unique_ptr<leveldb::Iterator>(db_->NewIterator(options));
  }

  void PutCount(const std::string& word, int count) {
    if (word.empty()) return;
    Check("put count", db_->Put(leveldb::WriteOptions(), "count/" + word,
                                std::to_string(count)));
  }

  void Show(const leveldb::Iterator& i) {
    report_ << "  " << i.key().ToString() << " = " << i.value().ToString()
            << "\n";
  }

  void Check(const char* what, const leveldb::Status& status) {
    if (!status.ok()) report_ << what << ": " << status.ToString() << "\n";
  }

  leveldb::DB* const db_;
  std::ostream& report_;
};

}  // namespace

std::string IndexAndReport(leveldb::DB* db) {
  std::ostringstream report;
  WordIndex index(db, &report);
  int number = 0;
  for (const char* line : kText) index.AddLine(number++, line);
  index.CountWords();
  index.Report("how often each word occurs", "count/", nullptr);

  const leveldb::Snapshot* snapshot = db->GetSnapshot();
  index.RemoveLine(1);
  db->Delete(leveldb::WriteOptions(), "count/the");
  index.Report("lines, now", "line/", nullptr);
  index.Report("lines, in the snapshot", "line/", snapshot);
  index.Report("\"the\", in the snapshot", "count/the", snapshot);
  index.Report("\"the\", now", "count/the", nullptr);
  db->ReleaseSnapshot(snapshot);

  index.ReportBackwards(5);
  db->CompactRange(nullptr, nullptr);
  index.Report("where \"shards\" are, compacted", "word/shards/", nullptr);
  return report.str();
}
