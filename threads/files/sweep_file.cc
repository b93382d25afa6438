#include "threads/files/sweep_file.h"

#include <algorithm>
#include <utility>

#include "threads/files/file_charge.h"
#include "threads/files/file_upkeep.h"
#include "threads/model/file_refs.h"
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
enum class Keeps : uint8_t { kNo, kShows, kHeld };

Result<Keeps> KeptByMessage(const RowReader& rows, const FileSweep& sweep, const FileRow& row) {
  PARLEY_TRY(message, rows.Message(sweep.due.thread, *row.message_id));
  if (!message) return Keeps::kNo;
  const auto& withheld = message->hidden.withheld.value;
  if (Lists(message->item.attachments, row.id()) || (withheld && Lists(withheld->attachments, row.id())))
    return Keeps::kShows;
  return message->hidden.flagged.value || sweep.held ? Keeps::kHeld : Keeps::kNo;
}

Result<Keeps> KeptByCard(const RowReader& rows, const FileSweep& sweep, const MessageId& id,
                         const FileRow& row) {
  PARLEY_TRY(card, rows.Card(sweep.due.thread, id));
  if (card && NamesFile(PlacesInCard(card->item.type.value), card->item.payload, row.id()))
    return Keeps::kShows;
  PARLEY_TRY(message, rows.Message(sweep.due.thread, id));
  return message && (message->hidden.flagged.value || sweep.held) ? Keeps::kHeld : Keeps::kNo;
}

Result<Keeps> KeptByTab(const RowReader& rows, const ThreadId& thread, protocol::TabName name,
                        const FileRow& row) {
  PARLEY_TRY(tab, rows.Tab(thread, name));
  const bool shows = tab && NamesFile(PlacesInTab(name), tab->item.content, row.id());
  return shows ? Keeps::kShows : Keeps::kNo;
}

// Removes from the list what does not keep the upload.
template <class L, class Ask>
protocol::Status Reduce(protocol::Omit<L>* list, bool* shown, bool* held, Ask ask) {
  if (!list->value) return protocol::Ok();
  L left;
  for (const auto& one : list->value->items) {
    PARLEY_TRY(keeps, ask(one));
    *shown |= keeps == Keeps::kShows;
    *held |= keeps == Keeps::kHeld;
    if (keeps != Keeps::kNo) left.items.push_back(one);
  }
  *list = {};
  if (!left.items.empty()) list->value = std::move(left);
  return protocol::Ok();
}

// An upload stays while a message, a card or a tab shows it. `row` forgets those that do so no more.
Result<Fate> FateOfShown(const RowReader& rows, const FileSweep& sweep, FileRow* row, Time now) {
  const FileRow file = *row;
  bool shown = false, held = false;
  if (file.message_id) {
    PARLEY_TRY(keeps, KeptByMessage(rows, sweep, file));
    shown |= keeps == Keeps::kShows;
    held |= keeps == Keeps::kHeld;
    if (keeps == Keeps::kNo) row->message_id.reset();
  }
  PARLEY_CHECK_OK(Reduce(&row->cards, &shown, &held,
                         [&](const MessageId& card) { return KeptByCard(rows, sweep, card, file); }));
  PARLEY_CHECK_OK(Reduce(&row->tabs, &shown, &held, [&](protocol::TabName tab) {
    return KeptByTab(rows, sweep.due.thread, tab, file);
  }));
  if (shown) return Fate{false, DueOf(*row)};
  if (held) return Fate{false, Time{now.ms + kHeldMs}};
  return Fate{true};
}

Result<Fate> FateOf(const RowReader& rows, const FileSweep& sweep, FileRow* row, Time now) {
  if (row->current.value) return Fate{false, DueOf(*row)};
  // Another avatar has replaced it.
  if (row->purpose.value && row->state() == FileState::kReady) return Fate{true};
  if (row->shown()) return FateOfShown(rows, sweep, row, now);
  if (row->state() == FileState::kScanning) return Fate{false, DueOf(*row)};
  const bool incomplete = row->state() == FileState::kRequested || row->state() == FileState::kUploading;
  const Time end = incomplete ? UploadEnd(*row, sweep.touched_at) : row->due_at.value.value_or(now);
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
  if (!row || (!head && !IsProfile(sweep.due.thread))) {
    swept.gone.value = true;
    tx.Release(FileDuePartition(tenant), FileDueKey(sweep.due));
    Decision decision = AnswerOnly(protocol::Encode(swept));
    decision.reserves_only = true;
    return decision;
  }
  PARLEY_TRY(fate, FateOf(rows, sweep, &*row, now));
  const auto& judge_by = row->judge_by.value;
  if (row->state() == FileState::kScanning && !fate.goes && (!judge_by || *judge_by <= now)) {
    (judge_by ? swept.ready : swept.scan).value = true;
    return AnswerOnly(protocol::Encode(swept));
  }
  if (fate.goes) PARLEY_CHECK_OK(ChargeFile(tx, tenant, &*row, nullptr));
  Draft draft(head ? *head : ThreadRow(), now);
  if (head) draft.HeadKept();
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
