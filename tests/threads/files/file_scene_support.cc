#include "tests/threads/files/file_scene.h"

namespace parley::threads {
namespace {

std::string BandText(const protocol::Attachment& item) {
  const auto& band = item.nsfw_band.value;
  return band ? " band=" + std::to_string(band->value) : std::string();
}

}  // namespace

std::string FileScene::Run(std::function<Result<Decision>(Transaction&)> decide) {
  std::string outcome;
  Job job;
  job.tenant = Tenant();
  job.thread = Thread();
  job.decide = std::move(decide);
  job.done = [&](const Answer& answer) {
    outcome = answer.ok() ? "ok" : ErrorText(answer.error());
    if (answer.ok()) {
      reply = *answer;
    } else {
      error = answer.error();
    }
  };
  scene.executor->Submit(std::move(job));
  scene.Step();
  return outcome;
}

FileMove FileScene::MoveTo(const std::string& name, FileState to) {
  FileMove move;
  move.thread = Thread();
  move.id = UploadNamed(name);
  move.to = to;
  move.scanned = true;
  if (to != FileState::kScanning) return move;
  StoredFile stored;
  stored.blob = stored.sha256 = protocol::Text<64>{BlobOf(name)};
  const auto row = ReadFile(scene.Rows(), Thread(), move.id).value();
  stored.size = row ? row->item.size.value.value_or(0) : 0;
  move.stored = stored;
  return move;
}

void FileScene::Given(const std::string& by, const std::string& name, FileState state, int64_t size) {
  EXPECT_EQ(Begin(by, name, size), "ok");
  std::vector<FileState> path;
  if (state == FileState::kReady || state == FileState::kQuarantined) path = {FileState::kScanning};
  if (state == FileState::kRemoved) path = {FileState::kScanning, FileState::kReady};
  if (state != FileState::kRequested) path.push_back(state);
  for (const FileState step : path) EXPECT_EQ(Move(name, step), "ok");
}

std::vector<std::string> FileScene::KeysOf(const storage::PartitionKey& partition) const {
  std::vector<std::string> out;
  EXPECT_TRUE(scene.table
                  ->Scan(partition, storage::SortRange::All(), storage::Direction::kForward, SIZE_MAX,
                         [&](std::string_view sort, storage::RowView) {
                           out.emplace_back(sort);
                           return true;
                         })
                  .ok());
  return out;
}

std::string FileScene::Sweep() {
  std::string out;
  for (const std::string& key : KeysOf(FileDuePartition(Tenant()))) {
    FileDue due;
    EXPECT_TRUE(ParseFileDueKey(key, &due));
    if (due.at > scene.clock.Now()) break;
    const std::string name = scene.names.NameOf(due.file.ToText());
    const auto last = touched.find(name);
    const FileSweep sweep{due, last == touched.end() ? std::nullopt : std::optional(last->second)};
    EXPECT_EQ(Run([sweep](Transaction& tx) { return SweepFile(tx, Tenant(), sweep); }), "ok");
    const auto swept = ItemFrom<FileSwept>(reply);
    out += (out.empty() ? "" : "; ") + name +
           (swept.scan.value    ? " scans"
            : swept.ready.value ? " ready"
            : swept.gone.value  ? " gone"
                                : " stays") +
           (swept.blob.value ? " blob" : "");
  }
  return out;
}

void FileScene::WriteDue(const std::string& name) {
  const FileDue due{scene.clock.Now(), Thread(), UploadNamed(name)};
  EXPECT_EQ(Run([due](Transaction& tx) -> Result<Decision> {
              tx.Reserve(FileDuePartition(Tenant()), FileDueKey(due), {});
              Decision decision = AnswerOnly({});
              decision.reserves_only = true;
              return decision;
            }),
            "ok");
}

std::string FileScene::File(const std::string& name) const {
  const auto row = ReadFile(scene.Rows(), Thread(), UploadNamed(name)).value();
  const auto thread = ThreadOfFile(scene.Rows(), UploadNamed(name)).value();
  EXPECT_EQ(row.has_value(), thread.has_value());
  if (!row) return "none";
  EXPECT_EQ(*thread, Thread());
  std::string out(protocol::NameOf(row->state()));
  out += " " + std::to_string(row->item.size.value.value_or(-1));
  if (row->message_id) out += " " + scene.names.NameOf(row->message_id->ToText());
  if (row->cards.value) {
    for (const MessageId& card : row->cards.value->items) out += " card=" + scene.names.NameOf(card.ToText());
  }
  if (row->tabs.value) {
    for (const protocol::TabName tab : row->tabs.value->items) out += " tab=" + std::string(NameOf(tab));
  }
  out += BandText(row->item);
  if (row->by_scanner.value) out += " scanner";
  if (row->unscanned.value) out += " unscanned";
  if (row->condemned.value) out += " condemned";
  if (row->due_at.value) out += " due=" + HoursOf(*row->due_at.value);
  return out;
}

std::string FileScene::Dues() const {
  std::string out;
  for (const std::string& key : KeysOf(FileDuePartition(Tenant()))) {
    FileDue due;
    EXPECT_TRUE(ParseFileDueKey(key, &due) && due.thread == Thread());
    out += (out.empty() ? "" : "; ") + scene.names.NameOf(due.file.ToText()) + " " + HoursOf(due.at);
  }
  return out;
}

std::string FileScene::Needed(const std::string& blob) const {
  std::string out;
  for (const std::string& key : KeysOf(BlobPartition(Tenant(), blob))) {
    AttachmentId file;
    if (key == FileMarkKey().bytes()) continue;
    EXPECT_TRUE(ParseFileRefKey(key, &file));
    out += (out.empty() ? "" : " ") + scene.names.NameOf(file.ToText());
  }
  return out;
}

std::string FileScene::Marked(const std::string& blob) const {
  const auto mark = ReadMark(scene.Rows(), blob).value();
  return mark ? mark->reason.value + (mark->by_scanner.value ? " (scanner)" : "") : "none";
}

std::string FileScene::SpreadsTo(const std::string& names) {
  EXPECT_NE(KeysOf(FileSpreadPartition(Tenant())).size(), 0u);
  for (const std::string& name : SplitText(names, ',')) {
    const auto row = ReadFile(scene.Rows(), Thread(), UploadNamed(name)).value();
    if (!row || !row->blob.value) return name + " has no bytes";
    const std::string outcome = Run([&, blob = row->blob.value->value](Transaction& tx) {
      return BringInLine(tx, Tenant(), Thread(), UploadNamed(name), blob);
    });
    if (outcome != "ok") return name + " " + outcome;
  }
  return "ok";
}

void FileScene::EndSpreads() {
  const auto partition = FileSpreadPartition(Tenant());
  for (const std::string& key : KeysOf(partition)) {
    std::optional<storage::Row> row;
    EXPECT_TRUE(scene.table->Get(partition, storage::SortKey(key), &row).ok() && row);
    const auto spread = ItemFrom<FileSpread>(row->payload);
    EXPECT_EQ(Run([&](Transaction& tx) { return EndSpread(tx, Tenant(), spread); }), "ok");
  }
  EXPECT_EQ(KeysOf(partition).size(), 0u);
}

std::string FileScene::Shown(const std::string& message) const {
  std::string out;
  for (const protocol::Attachment& one : MessageNamed(message).item.attachments.items)
    out += (out.empty() ? "" : "; ") + std::string(protocol::NameOf(*one.state.value)) + BandText(one);
  return out;
}

}  // namespace parley::threads
