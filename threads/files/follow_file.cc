#include "threads/files/follow_file.h"

#include <algorithm>
#include <utility>

#include "protocol/ops/staff.h"
#include "threads/model/card_kinds.h"
#include "threads/model/file_refs.h"

namespace parley::threads {
namespace {

// Copies the upload into the attachments of its message, as shown or as withheld by staff.
void CopyInto(const protocol::Attachment& item, protocol::List<protocol::Attachment, 20>* attachments) {
  for (protocol::Attachment& one : attachments->items) {
    if (one.attachment_id.value == *item.attachment_id.value) one = item;
  }
}

protocol::Json WithCopy(FilePlaces places, const protocol::Json& content, const FileRow& file) {
  return WithCopies(places, content,
                    [&](const AttachmentId& id) { return id == file.id() ? &file.item : nullptr; });
}

// The band of the message follows that of its attachments, unless staff or a service set another one.
void FollowBand(int64_t from, int64_t to, int64_t* band) {
  if (from == to) return;
  *band = *band == from ? to : std::max(*band, to);
}

void FollowIn(const MessageRow& message, const FileRow& file, Draft* draft) {
  MessageRow after = message;
  auto& withheld = after.hidden.withheld.value;
  auto& attachments = withheld ? withheld->attachments : after.item.attachments;
  const auto before = attachments;
  CopyInto(file.item, &attachments);
  if (attachments == before) return;
  FollowBand(BandOf(before, 0), BandOf(attachments, 0), &after.item.nsfw_band);
  // Members see neither attachments nor a change of them while staff withhold them.
  if (withheld) return draft->MessageFollows(after);
  draft->MessageChanged(std::move(after));
}

// Each change of a card has its record.
void RecordFile(const protocol::Card& card, const std::optional<Caller>& staff, Draft* draft) {
  if (card.type.value != kSafety) draft->head().hidden.card_seq.value = card.seq;
  const CardKind* kind = FindKind(card.type.value);
  protocol::AuditEntry audit;
  audit.what = "file";
  audit.message_id = card.message_id;
  audit.type = card.type.value;
  audit.category = kind ? kind->category : "custom";
  audit.version = card.version;
  if (staff) audit.actor_user_id = staff->user;
  audit.actor_role = staff ? protocol::NameOf(staff->role) : "clock";
  audit.at = draft->now();
  draft->Write(CardAuditKey(card.seq), protocol::Encode(audit));
}

void FollowIn(const ShowingCard& shows, const FileRow& file, const std::optional<Caller>& staff,
              Draft* draft) {
  CardRow card = shows.card;
  const FilePlaces places = PlacesInCard(card.item.type.value);
  card.item.payload = WithCopy(places, card.item.payload, file);
  if (card.item.payload == shows.card.item.payload) return;
  card.item.updated_at = draft->now();
  RecordFile(draft->CardChanged(std::move(card)), staff, draft);
  MessageRow message = shows.message;
  if (!message.item.action) return;
  message.item.action->payload = WithCopy(places, message.item.action->payload, file);
  draft->MessageFollows(message);
}

void FollowIn(const TabRow& tab, const FileRow& file, Draft* draft) {
  TabRow after = tab;
  after.item.content = WithCopy(PlacesInTab(tab.item.tab), tab.item.content, file);
  if (!(after.item.content == tab.item.content)) draft->TabFollows(std::move(after));
}

}  // namespace

Result<Showing> ReadShowing(const RowReader& rows, const ThreadId& thread, const FileRow& file) {
  Showing out;
  if (file.message_id) {
    PARLEY_TRY(message, rows.Message(thread, *file.message_id));
    out.message = std::move(message);
  }
  if (file.cards.value) {
    for (const MessageId& id : file.cards.value->items) {
      PARLEY_TRY(card, rows.Card(thread, id));
      PARLEY_TRY(message, rows.Message(thread, id));
      if (card && message) out.cards.push_back({*std::move(card), *std::move(message)});
    }
  }
  if (file.tabs.value) {
    for (const protocol::TabName name : file.tabs.value->items) {
      PARLEY_TRY(tab, rows.Tab(thread, name));
      if (tab) out.tabs.push_back(*std::move(tab));
    }
  }
  return out;
}

void Follow(const FileRow& file, const Showing& showing, const std::optional<Caller>& staff, Draft* draft) {
  if (showing.message) FollowIn(*showing.message, file, draft);
  for (const ShowingCard& card : showing.cards) FollowIn(card, file, staff, draft);
  for (const TabRow& tab : showing.tabs) FollowIn(tab, file, draft);
}

}  // namespace parley::threads
