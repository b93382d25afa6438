#include "fanout/view/messaging_view.h"

#include <algorithm>

#include "fanout/view/index_rows.h"
#include "fanout/view/thread_rows.h"
#include "storage/engine/page_builder.h"

namespace parley::fanout {
namespace {

using storage::EngineFault;
using storage::FaultKind;
using storage::Invalid;
using storage::Item;
using storage::MaybeFault;
using storage::SortKey;
using storage::SortRange;

constexpr uint16_t kInboxIndex = 1;  // GSI1, by its number in the declaration; the other is GSI2
const char kBadStart[] = "The provided starting key is invalid";
const char kStartOutside[] =
    "The provided starting key is outside query boundaries based on provided conditions";

MaybeFault FromError(const protocol::Error& error) {
  const bool later = error.code == protocol::ErrorCode::kUnavailable;
  return EngineFault{later ? FaultKind::kUnavailable : FaultKind::kInternal, error.message};
}

const std::string& TextOf(const storage::AttributeValue& value) {
  static const std::string none;
  return value.text() ? *value.text() : none;
}

// The start of a page: the last keys of the previous one.
struct Start {
  ThreadId thread;
  std::string sort;                  // the sort key in the table
  std::optional<SortKey> index_row;  // the row of the index, if the page is of one
};
MaybeFault ReadStart(const storage::TableDef& def, const storage::PageRequest& request, Start* out) {
  const auto key = storage::KeyOf(def.keys, *request.start);
  const auto thread = key ? ThreadOfText(TextOf(key->hash)) : std::nullopt;
  if (!thread || request.start->size() != (request.index ? 4u : 2u)) return Invalid(kBadStart);
  *out = {*thread, TextOf(*key->range), {}};
  const std::string* hash = &TextOf(key->hash);
  if (request.index) {
    const auto entry = storage::KeyOf(request.index->keys, *request.start);
    if (!entry) return Invalid(kBadStart);
    hash = &TextOf(entry->hash);
    const bool inbox = request.index->number == kInboxIndex;
    const auto at =
        inbox ? TimeOfPlaceText(TextOf(*entry->range)) : protocol::ParseTime(TextOf(*entry->range));
    if (!at) return Invalid(kBadStart);
    out->index_row = inbox ? PlaceKey({*at, *thread}) : ProjectKey(*at, *thread);
    if (*hash != TextOf(request.key->hash)) return Invalid(kStartOutside);
    return {};
  }
  return *hash == TextOf(request.key->hash) ? MaybeFault() : Invalid(kStartOutside);
}

// Returns false if nothing is left.
bool GoOnBehind(const std::string& sort, bool forward, TextRange* texts) {
  if (forward)
    texts->begin = std::max(texts->begin, sort + '\0');
  else if (!texts->end || sort < *texts->end)
    texts->end = sort;
  return !texts->end || texts->begin < *texts->end;
}
bool GoOnBehind(const SortKey& sort, bool forward, SortRange* rows) {
  if (forward)
    rows->begin = std::max(rows->begin, SortKey(sort.bytes() + '\0'));
  else if (rows->end.bytes().empty() || sort < rows->end)
    rows->end = sort;
  return rows->end.bytes().empty() || rows->begin < rows->end;
}

protocol::Status FillFromThread(const ViewReader& reader, const storage::PageRequest& request,
                                const Start* start, const ItemVisitor& visit) {
  const auto thread = ThreadOfText(TextOf(request.key->hash));
  if (!thread) return protocol::Ok();
  TextRange texts = TextsOf(*request.key);
  if (start && !GoOnBehind(start->sort, request.forward, &texts)) return protocol::Ok();
  return VisitThreadItems(reader, *thread, texts, request.forward, visit);
}

protocol::Status FillFromIndex(const ViewReader& reader, const storage::PageRequest& request,
                               const Start* start, const ItemVisitor& visit) {
  const bool inbox = request.index->number == kInboxIndex;
  const std::string& hash = TextOf(request.key->hash);
  const TextRange texts = TextsOf(*request.key);
  const auto rows = inbox ? PlacesOf(texts) : ProjectRowsOf(texts);
  if (!rows) return protocol::Ok();
  IndexPart part{*rows, request.forward, request.limit};
  if (start && !GoOnBehind(*start->index_row, request.forward, &part.rows)) return protocol::Ok();
  if (!inbox) return VisitProjectItems(reader, hash, part, visit);
  const auto user = InboxOfText(hash);
  return user ? VisitInboxItems(reader, *user, part, visit) : protocol::Ok();
}

}  // namespace

ProjectionId ProjectionOf(const storage::IndexDef& index) {
  return index.number == kInboxIndex ? ProjectionId::kInbox : ProjectionId::kProject;
}

MaybeFault ReadViewItem(const storage::ItemReads& reads, const storage::KeyValues& key,
                        std::optional<Item>* out) {
  const auto thread = ThreadOfText(TextOf(key.hash));
  if (!thread) return {};
  auto item = ReadThreadItem(ViewReader(reads), *thread, TextOf(*key.range));
  if (!item.ok()) return FromError(item.error());
  *out = std::move(*item);
  return {};
}

MaybeFault ReadViewPage(const storage::ItemReads& reads, const storage::TableDef& def,
                        const storage::PageRequest& request, storage::ItemPage* out) {
  if (!request.key)
    return Invalid("The table " + def.name + " is a view and cannot be scanned: Query it by " +
                   (request.index ? request.index->keys : def.keys).hash.name);
  Start start;
  if (request.start) {
    if (auto fault = ReadStart(def, request, &start)) return fault;
  }
  storage::PageBuilder page(def, request, out);
  const ItemVisitor visit{[&](Item item) { return page.Take(std::move(item)); },
                          [&](Item key) { return page.PassOver(std::move(key)); }};
  const auto fill = request.index ? FillFromIndex : FillFromThread;
  const auto status = fill(ViewReader(reads), request, request.start ? &start : nullptr, visit);
  if (!status.ok()) return FromError(status.error());
  return page.Finish();
}

}  // namespace parley::fanout
