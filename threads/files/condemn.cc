#include "threads/files/condemn.h"

#include <utility>

#include "protocol/base/clusters.h"
#include "threads/files/move_file.h"
#include "threads/model/message_row.h"

namespace parley::threads {
namespace {

// What brings the upload in line; nullopt: it is.
std::optional<FileMove> MoveInLine(const FileRow& row, const std::optional<FileMark>& mark) {
  FileMove move;
  move.by_mark = true;
  if (mark) {
    if (row.state() != FileState::kScanning && row.state() != FileState::kReady) return std::nullopt;
    move.to = FileState::kQuarantined;
    move.reason = mark->reason.value;
    move.by_scanner = mark->by_scanner.value.value_or(false);
    return move;
  }
  if (!row.condemned.value || row.state() != FileState::kQuarantined) return std::nullopt;
  move.to = FileState::kReady;
  return move;
}

}  // namespace

void ChangeMark(const TenantId& tenant, const MarkChange& change, protocol::IdSource* ids, Draft* draft) {
  storage::RowWrite mark{FileMarkKey(), std::nullopt};
  if (change.mark) mark.row = storage::Row{1, protocol::Encode(*change.mark)};
  draft->Beside(BlobPartition(tenant, change.blob), std::move(mark));
  const FileSpread spread{
      change.thread, change.from, {change.blob}, protocol::AuditId{ids->Make(draft->now())}};
  draft->Beside(FileSpreadPartition(tenant),
                {FileSpreadKey(change.thread, change.from), storage::Row{1, protocol::Encode(spread)}});
}

void CondemnFiles(const TenantId& tenant, const MessageRow& before, const std::string& reason,
                  protocol::IdSource* ids, Draft* draft) {
  const auto& withheld = before.hidden.withheld.value;
  for (const protocol::Attachment& one : (withheld ? withheld->attachments : before.item.attachments).items) {
    if (!one.attachment_id.value || !one.sha256.value) continue;
    FileMark mark;
    mark.at = draft->now();
    mark.reason.value = protocol::FirstBytes(reason, 200);
    ChangeMark(tenant,
               {before.item.thread_id, *one.attachment_id.value, one.sha256.value->value, std::move(mark)},
               ids, draft);
  }
}

Result<Decision> BringInLine(Transaction& tx, const TenantId& tenant, const ThreadId& thread,
                             const AttachmentId& file, const std::string& blob) {
  const RowReader rows = tx.Rows(tenant);
  PARLEY_TRY(row, ReadFile(rows, thread, file));
  if (!row || !row->blob.value || row->blob.value->value != blob) return AnswerOnly({});
  PARLEY_TRY(mark, ReadMark(rows, blob));
  auto move = MoveInLine(*row, mark);
  if (!move) return AnswerOnly({});
  move->thread = thread;
  move->id = file;
  return MoveFile(tx, tenant, *move);
}

Result<Decision> EndSpread(Transaction& tx, const TenantId& tenant, const FileSpread& spread) {
  const auto partition = FileSpreadPartition(tenant);
  const auto key = FileSpreadKey(spread.thread, spread.file);
  std::optional<storage::Row> row;
  const auto status = tx.Rows(tenant).raw().Get(partition, key, &row);
  if (!status.ok()) return FromStorage(status);
  Decision decision = AnswerOnly({});
  if (!row || row->payload != protocol::Encode(spread)) return decision;
  tx.Release(partition, key);
  decision.reserves_only = true;
  return decision;
}

}  // namespace parley::threads
