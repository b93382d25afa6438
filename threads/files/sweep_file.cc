#include "threads/files/sweep_file.h"

#include <algorithm>
#include <utility>

#include "threads/files/file_charge.h"
#include "threads/files/file_upkeep.h"
#include "threads/model/message_row.h"

namespace parley::threads {
namespace {

constexpr int64_t kUploadLifeMs = int64_t{7} * 24 * 3600 * 1000;
constexpr int64_t kHeldMs = int64_t{24} * 3600 * 1000;  // until evidence is looked at again

bool Lists(const protocol::List<protocol::Attachment, 20>& attachments, const AttachmentId& file) {
  return std::any_of(attachments.items.begin(), attachments.items.end(),
                     [&](const auto& one) { return one.attachment_id.value == file; });
}

struct Fate {
  bool goes = false;
  std::optional<Time> next = {};  // if it stays: when to look after it again
};

// Staff decide over a flagged message, and read what was withheld.
Result<Fate> FateOfSent(const RowReader& rows, const FileSweep& sweep, const FileRow& row, Time now) {
  PARLEY_TRY(message, rows.Message(sweep.due.thread, *row.message_id));
  if (!message) return Fate{true};
  const auto& withheld = message->hidden.withheld.value;
  if (Lists(message->item.attachments, row.id()) || (withheld && Lists(withheld->attachments, row.id())))
    return Fate{false, DueOf(row)};
  if (message->hidden.flagged.value || sweep.held) return Fate{false, Time{now.ms + kHeldMs}};
  return Fate{true};
}

Result<Fate> FateOf(const RowReader& rows, const FileSweep& sweep, const FileRow& row, Time now) {
  if (row.message_id) return FateOfSent(rows, sweep, row, now);
  if (row.state() == FileState::kScanning) return Fate{false, DueOf(row)};
  const bool incomplete = row.state() == FileState::kRequested || row.state() == FileState::kUploading;
  const Time end = incomplete ? UploadEnd(row, sweep.touched_at) : row.due_at.value.value_or(now);
  return Fate{end <= now, end};
}

void GiveBytesBack(const FileRow& row, Draft* draft) {
  const int64_t had = CountedBytes(row);
  if (had == 0) return;
  auto& bytes = draft->head().hidden.file_bytes.value;
  bytes = std::max<int64_t>(bytes.value_or(0) - had, 0);
}

}  // namespace

Time UploadEnd(const FileRow& row, const std::optional<Time>& touched) {
  const Time last = std::max(row.begun_at, touched.value_or(row.begun_at));
  return {std::min(last.ms + kUnsentFileMs, row.begun_at.ms + kUploadLifeMs)};
}

Result<Decision> SweepFile(Transaction& tx, const TenantId& tenant, const FileSweep& sweep) {
  const RowReader rows = tx.Rows(tenant);
  const Time now = tx.moment().now;
  PARLEY_TRY(row, ReadFile(rows, sweep.due.thread, sweep.due.file));
  PARLEY_TRY(head, tx.Thread(tenant, sweep.due.thread));
  FileSwept swept;
  if (!row || !head) {
    swept.gone.value = true;
    tx.Release(FileDuePartition(tenant), FileDueKey(sweep.due));
    Decision decision = AnswerOnly(protocol::Encode(swept));
    decision.reserves_only = true;
    return decision;
  }
  PARLEY_TRY(fate, FateOf(rows, sweep, *row, now));
  const auto& judge_by = row->judge_by.value;
  if (row->state() == FileState::kScanning && !fate.goes && (!judge_by || *judge_by <= now)) {
    (judge_by ? swept.ready : swept.scan).value = true;
    return AnswerOnly(protocol::Encode(swept));
  }
  if (fate.goes) PARLEY_CHECK_OK(ChargeFile(tx, tenant, &*row, nullptr));
  Draft draft(*std::move(head), now);
  draft.HeadKept();
  if (fate.goes) {
    swept.gone.value = true;
    swept.blob = row->blob;
    GiveBytesBack(*row, &draft);
    draft.Beside(FileDuePartition(tenant), {FileDueKey(sweep.due), std::nullopt});
    EraseFile(tenant, sweep.due.thread, *row, &draft);
  } else {
    LookAgain(tenant, sweep.due.thread, sweep.due, *std::move(row), fate.next, &draft);
  }
  return draft.Finish(protocol::Encode(swept));
}

}  // namespace parley::threads
