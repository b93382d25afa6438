#include "fanout/view/thread_rows.h"

#include <algorithm>

#include "fanout/view/view_items.h"
#include "threads/cards/card_reads.h"
#include "threads/cards/card_view.h"
#include "threads/inbox/entry.h"
#include "threads/model/message_row.h"
#include "threads/model/open_cards.h"
#include "threads/model/pins.h"
#include "threads/panel/tab_rules.h"

namespace parley::fanout {
namespace {

using protocol::Result;
using protocol::TabName;
using storage::Item;
using storage::ThreadTag;

// Converts rows of one thread to the form that this reader may see; nullopt if hidden.
class ShownThread {
 public:
  ShownThread(const ViewReader& reader, const threads::ThreadRow& head) : reader_(reader), head_(head) {}
  const ThreadId& thread() const { return head_.item.thread_id; }

  Item Thread() const { return ThreadItem(head_.item); }
  std::optional<Item> Participant(const threads::ParticipantRow& row) const {
    if (!row.active()) return std::nullopt;
    return ParticipantItem(thread(), row, threads::InboxPlace(head_), reader_.now());
  }
  std::optional<Item> Message(const threads::MessageRow& row) const {
    if (!threads::MaySee(reader_.caller(), row.hidden.only_for)) return std::nullopt;
    return MessageItem(row.item);
  }
  std::optional<Item> Card(threads::CardRow row) const {
    if (!threads::MaySee(reader_.caller(), row.hidden.only_for)) return std::nullopt;
    threads::ShowAsOf(&row.item, reader_.now());
    return CardItem(thread(), row.item);
  }
  Result<std::optional<Item>> Tab(TabName name) const {
    if (name == TabName::kActions) return Actions();
    PARLEY_TRY(row, reader_.rows().Tab(thread(), name));
    if (!row) return std::optional<Item>();
    const int64_t band_max = threads::BandMaxOf(reader_.caller(), head_.item);
    return std::optional(TabItem(thread(), threads::ShownTab(row->item, band_max)));
  }

  // Converts a stored row; sets *sound to false if it cannot be read.
  std::optional<Item> Of(ThreadTag kind, std::string_view payload, bool* sound) const {
    if (kind == ThreadTag::kCard) {
      threads::CardRow row;
      return (*sound = threads::DecodeItem(payload, &row)) ? Card(std::move(row)) : std::nullopt;
    }
    if (kind == ThreadTag::kMessage) {
      threads::MessageRow row;
      return (*sound = threads::DecodeItem(payload, &row)) ? Message(row) : std::nullopt;
    }
    threads::ParticipantRow row;
    return (*sound = threads::DecodeItem(payload, &row)) ? Participant(row) : std::nullopt;
  }

 private:
  // The tab of open cards; it exists while a card waits for an answer.
  Result<std::optional<Item>> Actions() const {
    const auto& cards = threads::OpenCardsOf(head_);
    const bool any = std::any_of(cards.begin(), cards.end(), [&](const threads::OpenCard& card) {
      return threads::MaySee(reader_.caller(), card.only_for);
    });
    if (!any) return std::optional<Item>();
    PARLEY_TRY(open, threads::ReadOpenCards(reader_.rows(), reader_.caller(), head_, reader_.now()));
    return std::optional(TabItem(thread(), threads::ActionsTab(head_, open)));
  }

  const ViewReader& reader_;
  const threads::ThreadRow& head_;
};

// Returns the sort key of a row as text, or "" if the view does not include the row.
std::string TextOf(ThreadTag kind, std::string_view sort) {
  protocol::MessageId message;
  UserId user;
  storage::KeyReader reader(sort);
  if (kind == ThreadTag::kMessage)
    return threads::ParseMessageKey(sort, &message) ? MessageText(message) : "";
  if (kind == ThreadTag::kParticipant)
    return threads::ParseParticipantKey(sort, &user) ? ParticipantText(user) : "";
  return reader.Tag(kind) && reader.Id(&message.ulid) && reader.AtEnd() ? CardText(message) : "";
}

// Reads a thread, kind by kind.
class Walk {
 public:
  Walk(const ViewReader& reader, const threads::ThreadRow& head, const TextRange& texts, bool forward,
       const ItemVisitor& visit)
      : reader_(reader), shown_(reader, head), texts_(texts), forward_(forward), visit_(visit) {}

  protocol::Status Run() {
    std::vector<std::function<protocol::Status()>> parts = {
        [this] { return Rows(ThreadTag::kCard); }, [this] { return Rows(ThreadTag::kMessage); },
        [this] { return Rows(ThreadTag::kParticipant); }, [this] { return Tabs(); },
        [this] { return Thread(); }};
    if (!forward_) std::reverse(parts.begin(), parts.end());
    for (const auto& part : parts) {
      PARLEY_CHECK_OK(part());
      if (stopped_) break;
    }
    return protocol::Ok();
  }

 private:
  protocol::Status Rows(ThreadTag kind) {
    const auto range = RowsOf(kind, texts_);
    if (!range) return protocol::Ok();
    bool sound = true;
    const auto direction = forward_ ? storage::Direction::kForward : storage::Direction::kReverse;
    const auto status = reader_.raw().Scan(
        threads::ThreadPartition(reader_.tenant(), shown_.thread()), *range, direction, SIZE_MAX,
        [&](std::string_view sort, storage::RowView row) {
          auto item = shown_.Of(kind, row.payload, &sound);
          if (!sound) return false;
          stopped_ = item ? !visit_.take(std::move(*item))
                          : !visit_.pass_over(KeyItem(shown_.thread(), TextOf(kind, sort)));
          return !stopped_;
        });
    if (!status.ok()) return threads::FromStorage(status);
    return sound ? protocol::Ok() : protocol::Status(UnreadableRow());
  }

  protocol::Status Tabs() {
    std::vector<TabName> names;
    for (size_t i = 0; i < std::size(protocol::EnumNames<TabName>::kNames); ++i) {
      if (texts_.Has(TabText(static_cast<TabName>(i)))) names.push_back(static_cast<TabName>(i));
    }
    std::sort(names.begin(), names.end(), [this](TabName a, TabName b) {
      return forward_ ? TabText(a) < TabText(b) : TabText(b) < TabText(a);
    });
    for (const TabName name : names) {
      PARLEY_TRY(item, shown_.Tab(name));
      if (item && (stopped_ = !visit_.take(std::move(*item)))) break;
    }
    return protocol::Ok();
  }

  protocol::Status Thread() {
    if (texts_.Has(kThreadSort)) stopped_ = !visit_.take(shown_.Thread());
    return protocol::Ok();
  }

  const ViewReader& reader_;
  const ShownThread shown_;
  const TextRange& texts_;
  const bool forward_;
  const ItemVisitor& visit_;
  bool stopped_ = false;
};

}  // namespace

Result<std::optional<Item>> ReadThreadItem(const ViewReader& reader, const ThreadId& thread,
                                           const std::string& sort) {
  PARLEY_TRY(head, reader.Head(thread));
  if (!head) return std::optional<Item>();
  const ShownThread shown(reader, *head);
  if (sort == kThreadSort) return std::optional(shown.Thread());
  if (const auto id = CardOfText(sort)) {
    PARLEY_TRY(row, reader.rows().Card(thread, *id));
    return row ? shown.Card(std::move(*row)) : std::nullopt;
  }
  if (const auto id = MessageOfText(sort)) {
    PARLEY_TRY(row, reader.rows().Message(thread, *id));
    return row ? shown.Message(*row) : std::nullopt;
  }
  if (const auto id = ParticipantOfText(sort)) {
    PARLEY_TRY(row, reader.rows().Participant(thread, *id));
    return row ? shown.Participant(*row) : std::nullopt;
  }
  if (const auto name = TabOfText(sort)) return shown.Tab(*name);
  return std::optional<Item>();
}

protocol::Status VisitThreadItems(const ViewReader& reader, const ThreadId& thread, const TextRange& texts,
                                  bool forward, const ItemVisitor& visit) {
  PARLEY_TRY(head, reader.Head(thread));
  if (!head) return protocol::Ok();
  return Walk(reader, *head, texts, forward, visit).Run();
}

}  // namespace parley::fanout
