#include "features/files/file_facts.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "features/files/file_facts_shown.h"
#include "protocol/writer.h"
#include "storage/key.h"
#include "storage/key_tags.h"
#include "threads/model/keys.h"

namespace parley::features::facts {
namespace {

using fanout::ThreadFacts;
using protocol::AttachmentId;
using protocol::Value;
using storage::UserTag;

// The states of which the clock looks after bytes that came, and those whose bytes are stored.
const std::set<std::string> kIncomplete = {"requested", "uploading"};
const std::set<std::string> kStored = {"scanning", "ready", "quarantined"};

constexpr int64_t kDayMs = int64_t{24} * 3600 * 1000;

std::string FieldText(const Value* map, std::string_view field) {
  const Value* value = map ? map->Find(field) : nullptr;
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}
int64_t FieldNumber(const Value* map, std::string_view field) {
  const Value* value = map ? map->Find(field) : nullptr;
  return value && value->as_int() ? *value->as_int() : 0;
}
bool FieldFlag(const Value& map, std::string_view field) {
  const Value* value = map.Find(field);
  return value && value->as_bool() && *value->as_bool();
}
std::string EncodedBytes(const Value& value) {
  protocol::Writer w;
  w.Put(value);
  return w.Take();
}

struct Upload {
  std::string thread;  // tenant and thread
  std::string due, blob;
  std::string state;
  bool condemned = false;
  bool left = false;        // something shows it no more: the clock will look after it at any time
  bool may_return = false;  // it is in a tab, from which it may have been removed for a time
  bool current = false;     // it is an avatar or a brand
  bool has_profile = false;
  bool has_index = false, has_due = false, has_ref = false;
};

class FileCheck {
 public:
  using Differs = std::function<void(const std::string&)>;
  FileCheck(const storage::Reader& snapshot, Differs differs)
      : snapshot_(snapshot), differs_(std::move(differs)) {}

  // Call once for each thread.
  void Expect(const ThreadFacts& facts);
  // Call after all threads.
  storage::Status CheckRows();

 private:
  using Shown = std::multimap<std::string, ShownFile>;

  void CheckShown(const ThreadFacts& facts, const Shown& shown);
  // Returns false if a place that the row names does not show the upload.
  bool CheckPlaces(const std::string& name, const std::string& id, const Value& row, const Shown& shown);
  void ExpectUpload(const ThreadFacts& facts, const std::string& id, const Value& row, const Shown& shown);
  void CheckDue(const std::string& name, const Value& row, const Upload& upload);
  void CheckWait(const std::string& name, const Value& row);
  void CheckRow(const std::string& tenant, const std::string& partition, std::string_view sort,
                std::string_view payload);
  void CheckIndex(const std::string& tenant, const std::string& id, std::string_view payload);
  void CheckProfile(const std::string& tenant, std::string_view payload);
  void CheckDueRow(const std::string& tenant, storage::KeyReader reader);
  void CheckRef(const std::string& tenant, const std::string& blob, storage::KeyReader reader);
  void NoteSpread(const std::string& tenant, storage::KeyReader reader, std::string_view payload);
  void CheckMark(const std::string& name, const Upload& upload);
  Upload* Find(const std::string& tenant, const std::string& id) {
    const auto found = uploads_.find(tenant + " " + id);
    return found == uploads_.end() ? nullptr : &found->second;
  }

  const storage::Reader& snapshot_;
  const Differs differs_;
  std::map<std::string, Upload> uploads_;  // by tenant and attachmentId
  // By tenant and name of bytes: those that are condemned, and those whose mark has not reached all uploads.
  std::set<std::string> marked_, spreading_;
};

void FileCheck::CheckShown(const ThreadFacts& facts, const Shown& shown) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& [id, one] : shown) {
    const bool in_message = !one.place.starts_with("card ") && !one.place.starts_with("tab ");
    if (!seen.emplace(id, in_message ? "" : one.place).second)
      differs_(facts.name() + ": " + id + " is shown twice");
    if (!facts.files.contains(id))
      differs_(facts.name() + ": " + one.place + " shows " + id + ", which has no row");
  }
}

// The clock looks after every upload that nothing shows, and at once after one whose work has not ended.
void FileCheck::CheckDue(const std::string& name, const Value& row, const Upload& upload) {
  const std::string state = FieldText(row.Find("item"), "state");
  const auto begun = protocol::ParseTime(FieldText(&row, "begunAt"));
  const auto due = protocol::ParseTime(upload.due);
  const bool sent = !PlacesOf(row).empty() || upload.current;
  if (!begun) return differs_(name + ": has no time of its beginning");
  if (sent && !upload.left && state != "scanning" && due)
    return differs_(name + ": something shows it, but the clock will look after it");
  if (sent) return;
  if (!due) return differs_(name + ": nothing shows it, and the clock will never look after it");
  const int64_t ms = due->ms - begun->ms;
  const auto judge_by = protocol::ParseTime(FieldText(&row, "judgeBy"));
  const bool right = state == "scanning"           ? due->ms == (judge_by ? judge_by->ms : 0)
                     : kIncomplete.contains(state) ? ms >= kDayMs && ms <= 7 * kDayMs
                     : state == "quarantined"      ? ms == 30 * kDayMs
                                                   : ms == kDayMs;
  if (!right) differs_(name + ": the clock will look after it at the wrong time");
}

// Only images and video without a band wait for one.
void FileCheck::CheckWait(const std::string& name, const Value& row) {
  if (FieldText(&row, "judgeBy").empty()) return;
  const Value* item = row.Find("item");
  const std::string mime = FieldText(item, "mime");
  const bool banded = mime.starts_with("image/") || mime.starts_with("video/");
  if (FieldText(item, "state") != "scanning" || !banded || item->Find("nsfwBand"))
    differs_(name + ": waits for a band that it does not need");
}

bool FileCheck::CheckPlaces(const std::string& name, const std::string& id, const Value& row,
                            const Shown& shown) {
  const Value* item = row.Find("item");
  std::set<std::string> places = PlacesOf(row);
  const std::set<std::string> named = places;
  for (auto [at, end] = shown.equal_range(id); at != end; ++at) {
    const auto& [place, copy] = at->second;
    if (!named.contains(place)) differs_(name + ": is shown by " + place + ", but its row does not say so");
    if (item && (!copy || EncodedBytes(*copy) != EncodedBytes(*item)))
      differs_(name + ": " + place + " shows it otherwise than its row");
    places.erase(place);
  }
  return places.empty();
}

void FileCheck::ExpectUpload(const ThreadFacts& facts, const std::string& id, const Value& row,
                             const Shown& shown) {
  const std::string name = facts.name() + ": " + id;
  const Value* item = row.Find("item");
  Upload upload{facts.name(), FieldText(&row, "dueAt"), FieldText(&row, "blob"), FieldText(item, "state")};
  upload.condemned = row.Find("condemned") != nullptr;
  if (!item || FieldText(item, "attachmentId") != id) differs_(name + ": its row names another upload");
  upload.current = FieldFlag(row, "current");
  const bool replaced = row.Find("purpose") && !upload.current && FieldText(item, "state") == "ready";
  upload.left = !CheckPlaces(name, id, row, shown) || replaced;
  upload.may_return = row.Find("tabs") != nullptr;
  if (kStored.contains(FieldText(item, "state")) == upload.blob.empty())
    differs_(name + (upload.blob.empty() ? ": has no stored bytes" : ": names stored bytes, but has none"));
  CheckDue(name, row, upload);
  CheckWait(name, row);
  if (!uploads_.try_emplace(facts.tenant.ToText() + " " + id, std::move(upload)).second)
    differs_(name + ": is in another thread, too");
}

void FileCheck::Expect(const ThreadFacts& facts) {
  const Shown shown = ShownIn(facts);
  CheckShown(facts, shown);
  int64_t bytes = 0;
  for (const auto& [id, row] : facts.files) {
    ExpectUpload(facts, id, row.root, shown);
    const Value* item = row.root.Find("item");
    const std::string state = FieldText(item, "state");
    if (kStored.contains(state) || kIncomplete.contains(state)) bytes += FieldNumber(item, "size");
  }
  if (!facts.head) return;
  const int64_t counted = facts.head->HiddenNumber("fileBytes").value_or(0);
  if (counted != bytes)
    differs_(facts.name() + ": counts " + std::to_string(counted) + " bytes of uploads instead of " +
             std::to_string(bytes));
}

void FileCheck::CheckIndex(const std::string& tenant, const std::string& id, std::string_view payload) {
  Upload* upload = Find(tenant, id);
  const auto thread = protocol::Ulid::FromBytes(payload);
  const std::string leads = thread ? tenant + " " + protocol::ThreadId{*thread}.ToText() : "";
  if (!upload || upload->thread != leads)
    return differs_(tenant + ": the FILE row of " + id + " leads to no such upload");
  upload->has_index = true;
}

void FileCheck::CheckProfile(const std::string& tenant, std::string_view payload) {
  const auto file = protocol::Ulid::FromBytes(payload);
  Upload* upload = file ? Find(tenant, AttachmentId{*file}.ToText()) : nullptr;
  if (!upload || !upload->current) return differs_(tenant + ": a PROFILE row leads to no current upload");
  upload->has_profile = true;
}

// A row of an upload that its message showed may remain when the upload is removed, until the clock reads it.
void FileCheck::CheckDueRow(const std::string& tenant, storage::KeyReader reader) {
  uint64_t ms = 0;
  protocol::ThreadId thread;
  AttachmentId file;
  if (!reader.Number(&ms) || !reader.Id(&thread.ulid) || !reader.Id(&file.ulid) || !reader.AtEnd())
    return differs_(tenant + ": a FILEDUE# key cannot be read");
  Upload* upload = Find(tenant, file.ToText());
  if (!upload) return;
  const std::string at = protocol::FormatTime({static_cast<int64_t>(ms)});
  if (upload->thread != tenant + " " + thread.ToText() ||
      (upload->due != at && !upload->left && !upload->may_return))
    return differs_(tenant + ": an extra FILEDUE# row of " + file.ToText());
  upload->has_due = true;
}

void FileCheck::CheckRef(const std::string& tenant, const std::string& blob, storage::KeyReader reader) {
  AttachmentId file;
  if (!reader.Id(&file.ulid) || !reader.AtEnd()) return differs_(tenant + ": a FILEREF# key cannot be read");
  Upload* upload = Find(tenant, file.ToText());
  if (!upload || upload->blob != blob)
    return differs_(tenant + ": an extra FILEREF# row of " + file.ToText() + " for " + blob);
  upload->has_ref = true;
}

void FileCheck::NoteSpread(const std::string& tenant, storage::KeyReader reader, std::string_view payload) {
  protocol::ThreadId thread;
  AttachmentId file;
  protocol::Document row;
  const bool sound = reader.Id(&thread.ulid) && reader.Id(&file.ulid) && reader.AtEnd() &&
                     !protocol::DecodeMsgpack(std::string(payload), {}, &row);
  if (!sound || FieldText(&row.root, "thread") != thread.ToText() ||
      FieldText(&row.root, "file") != file.ToText())
    return differs_(tenant + ": a FILESPREAD# row names another upload than its key");
  spreading_.insert(tenant + " " + FieldText(&row.root, "blob"));
}

// Uploads follow the mark of their bytes, unless it is still spreading.
void FileCheck::CheckMark(const std::string& name, const Upload& upload) {
  const std::string bytes = name.substr(0, name.find(' ') + 1) + upload.blob;
  if (upload.blob.empty() || spreading_.contains(bytes)) return;
  const bool marked = marked_.contains(bytes);
  if (marked && upload.state != "quarantined")
    differs_(name + ": its bytes are condemned, but it is " + upload.state);
  if (!marked && upload.condemned) differs_(name + ": it is condemned, but its bytes are not");
}

void FileCheck::CheckRow(const std::string& tenant, const std::string& partition, std::string_view sort,
                         std::string_view payload) {
  constexpr std::string_view kBlob = " blob ";
  storage::KeyReader reader(sort);
  if (reader.Tag(UserTag::kFile)) return CheckIndex(tenant, partition.substr(1), payload);
  reader = storage::KeyReader(sort);
  if (reader.Tag(UserTag::kFileDue)) return CheckDueRow(tenant, reader);
  reader = storage::KeyReader(sort);
  if (reader.Tag(UserTag::kProfile)) return CheckProfile(tenant, payload);
  reader = storage::KeyReader(sort);
  if (reader.Tag(UserTag::kFileSpread)) return NoteSpread(tenant, reader, payload);
  reader = storage::KeyReader(sort);
  const bool marks = reader.Tag(UserTag::kFileMark);
  if (!marks) reader = storage::KeyReader(sort);
  if (!marks && !reader.Tag(UserTag::kFileRef)) return;
  if (!partition.starts_with(kBlob))
    return differs_(tenant + ": a FILEREF# or FILEMARK row is in a wrong partition");
  const std::string blob = partition.substr(kBlob.size());
  if (!marks) return CheckRef(tenant, blob, reader);
  marked_.insert(tenant + " " + blob);
}

storage::Status FileCheck::CheckRows() {
  auto status = snapshot_.ScanAll(
      storage::TableTag::kUsers,
      [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
        const std::string_view id = partition.id();
        if (!id.starts_with(' ')) return true;  // a user's
        CheckRow(std::string(partition.tenant()), std::string(id.substr(0, id.size() - 1)), sort.bytes(),
                 row.payload);
        return true;
      });
  for (const auto& [name, upload] : uploads_) {
    if (!upload.has_index) differs_(name + ": its FILE row is missing");
    if (!upload.has_due && (!upload.due.empty() || upload.left))
      differs_(name + ": its FILEDUE# row is missing");
    if (upload.current && !upload.has_profile) differs_(name + ": its PROFILE row is missing");
    if (!upload.has_ref && !upload.blob.empty()) differs_(name + ": its FILEREF# row is missing");
    CheckMark(name, upload);
  }
  return status;
}

class FileFacts final : public fanout::Facts {
 public:
  void OnThread(const fanout::VerifyInput& input, const ThreadFacts& facts) override {
    if (facts.head || !facts.files.empty()) CheckOf(input).Expect(facts);
  }
  storage::Status CheckRows(const fanout::VerifyInput& input, fanout::VerifyReport*) override {
    return CheckOf(input).CheckRows();
  }

 private:
  FileCheck& CheckOf(const fanout::VerifyInput& input) {
    return check_ ? *check_ : check_.emplace(input.snapshot, input.differs);
  }

  std::optional<FileCheck> check_;
};

}  // namespace

std::unique_ptr<fanout::Facts> MakeFileFacts() {
  return std::make_unique<FileFacts>();
}

}  // namespace parley::features::facts
