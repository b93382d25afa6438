#include "storage/engine/item_reads.h"

#include <algorithm>

#include "protocol/base/varint.h"
#include "storage/engine/page_builder.h"
#include "storage/items/item_codec.h"

namespace parley::storage {
namespace {

constexpr size_t kFirstItems = 16, kMoreItems = 64;   // entries whose items are read together
constexpr size_t kReadItemBytes = 2 * kPageBytesMax;  // roughly, of those items, whatever their sizes
const char kBadStart[] = "The provided starting key is invalid";
const char kStartOutside[] =
    "The provided starting key is outside query boundaries based on provided conditions";
const char kStartUnlikeRange[] = "The provided starting key does not match the range key predicate";

EngineFault Unreadable(const TableDef& def) {
  return {FaultKind::kInternal, "a row of " + def.name + " cannot be read"};
}

SortKey Joined(const SortKey& prefix, const AttributeValue& value) {
  std::string out = prefix.bytes();
  AppendKeyPart(value, &out);
  return SortKey(std::move(out));
}
SortKey Above(const SortKey& key) {
  return SortKey(UpperBound(key.bytes()));
}

SortRange RangeOf(const IndexDef* index, const KeyCondition& key) {
  std::string known = HashPrefix(index, key.hash, key.more_hash).bytes();
  for (const AttributeValue& value : key.equal) AppendKeyPart(value, &known);
  const SortKey prefix(std::move(known));
  const SortRange all = SortRange::Prefix(prefix);
  using Op = KeyCondition::Op;
  if (key.op == Op::kNone) return all;
  if (key.op == Op::kBeginsWith) {
    std::string bytes = prefix.bytes();
    AppendKeyPrefix(key.low, &bytes);
    return SortRange::Prefix(SortKey(std::move(bytes)));
  }
  const SortKey low = Joined(prefix, key.low);
  switch (key.op) {
    case Op::kEqual:
      return SortRange::Prefix(low);
    case Op::kLess:
      return {all.begin, low};
    case Op::kLessOrEqual:
      return {all.begin, Above(low)};
    case Op::kGreater:
      return {Above(low), all.end};
    case Op::kGreaterOrEqual:
      return {low, all.end};
    default:
      return {low, Above(Joined(prefix, key.high))};
  }
}

// The sort key of the row after which the page starts.
MaybeFault StartOf(const TableDef& def, const PageRequest& request, SortKey* out) {
  const Item& start = *request.start;
  const auto item = KeyOf(def.keys, start);
  if (!item) return Invalid(kBadStart);
  size_t names = def.keys.size();
  if (!request.index) {
    *out = ItemKey(def, *item);
  } else {
    const KeySchema& keys = request.index->keys;
    const auto entry = KeyOf(keys, start);
    if (!entry) return Invalid(kBadStart);
    keys.Each([&](const KeyAttribute& one, bool) {
      names += def.keys.Names(one.name) ? 0 : 1;
      return true;
    });
    *out = EntryKey(def, *request.index, *entry, *item);
  }
  if (start.size() != names) return Invalid(kBadStart);
  return {};
}

// Reads the rows of the range one by one into a page.
class Pager {
 public:
  Pager(const ItemReads& reads, const TableDef& def, const PageRequest& request, ItemPage* page)
      : reads_(reads),
        def_(def),
        request_(request),
        page_(def, request, page),
        table_(TablePartition(reads.tenant, def)) {}

  MaybeFault Fill(const SortRange& range) { return request_.index ? FromEntries(range) : FromItems(range); }

 private:
  MaybeFault FromItems(const SortRange& range) {
    MaybeFault fault;
    const Status status =
        reads_.reader.Scan(table_, range, direction(), SIZE_MAX, [&](std::string_view, RowView row) {
          Item item;
          if (!DecodeItem(row.payload, &item)) {
            fault = Unreadable(def_);
            return false;
          }
          if (!IsExpired(ExpiryOf(def_, item), reads_.now)) return page_.Take(std::move(item));
          page_.NoteRead(row.payload.size());
          return page_.PassOver(std::move(item));
        });
    if (!status.ok()) return FromStatus(status);
    auto unfinished = page_.Finish();
    return fault ? std::move(fault) : std::move(unfinished);
  }

  MaybeFault FromEntries(SortRange range) {
    for (;;) {
      std::vector<RowKey> keys;
      SortKey last;
      if (auto fault = ReadEntries(range, &keys, &last)) return fault;
      if (keys.empty()) break;
      std::vector<std::optional<Row>> rows;
      if (Status status = reads_.reader.MultiGet(keys, &rows); !status.ok()) return FromStatus(status);
      size_t bytes = 0;
      for (const auto& row : rows) {
        if (!row) return Unreadable(def_);
        bytes += row->payload.size();
        bool goes_on = false;
        if (auto fault = TakeEntry(row->payload, &goes_on)) return fault;
        if (!goes_on) return page_.Finish();
      }
      if (keys.size() < portion_) break;
      portion_ = std::clamp<size_t>(kReadItemBytes / (bytes / rows.size() + 1), 1, kMoreItems);
      if (request_.forward)
        range.begin = SortKey(last.bytes() + '\0');
      else
        range.end = last;
    }
    return page_.Finish();
  }

  MaybeFault TakeEntry(std::string_view payload, bool* goes_on) {
    Item item;
    if (!DecodeItem(payload, &item)) return Unreadable(def_);
    const bool expired = IsExpired(ExpiryOf(def_, item), reads_.now);
    const bool whole = request_.whole_items || request_.index->projection.kind == IndexProjection::Kind::kAll;
    if (expired || !whole) page_.NoteRead(payload.size());
    if (!whole) item = Projected(def_, *request_.index, std::move(item));
    *goes_on = expired ? page_.PassOver(std::move(item)) : page_.Take(std::move(item));
    return {};
  }

  // Collects the keys of the items of the next entries.
  MaybeFault ReadEntries(const SortRange& range, std::vector<RowKey>* keys, SortKey* last) {
    bool sound = true;
    const Status status =
        reads_.reader.Scan(table_, range, direction(), portion_, [&](std::string_view sort, RowView) {
          auto key = ItemKeyOfEntry(def_, *request_.index, sort);
          sound = key.has_value();
          if (!sound) return false;
          keys->push_back({table_, std::move(*key)});
          *last = SortKey(std::string(sort));
          return true;
        });
    if (!status.ok()) return FromStatus(status);
    return sound ? MaybeFault() : Unreadable(def_);
  }

  Direction direction() const { return request_.forward ? Direction::kForward : Direction::kReverse; }

  const ItemReads& reads_;
  const TableDef& def_;
  const PageRequest& request_;
  PageBuilder page_;
  const PartitionKey table_;
  // The first portion has the size of the limit, so that a small page reads no more.
  size_t portion_ = request_.limit != 0 ? std::min(request_.limit, kFirstItems) : kFirstItems;
};

}  // namespace

MaybeFault ReadItem(const ItemReads& reads, const TableDef& def, const KeyValues& key,
                    std::optional<Item>* out) {
  StoredItem stored;
  if (auto fault = ReadStored(reads.reader, TablePartition(reads.tenant, def), def, key, reads.now, &stored))
    return fault;
  if (stored.live()) *out = std::move(stored.stored);
  return {};
}

Item Projected(const TableDef& def, const IndexDef& index, Item item) {
  if (index.projection.kind == IndexProjection::Kind::kAll) return item;
  Item out;
  for (auto& [name, value] : item) {
    const auto& include = index.projection.include;
    if (def.keys.Names(name) || index.keys.Names(name) ||
        std::find(include.begin(), include.end(), name) != include.end())
      out.Set(name, std::move(value));
  }
  return out;
}

MaybeFault ReadPage(const ItemReads& reads, const TableDef& def, const PageRequest& request, ItemPage* out) {
  SortRange range = request.key ? RangeOf(request.index, *request.key)
                                : SegmentRange(request.index, request.segment, request.segments);
  if (request.start) {
    SortKey start;
    if (auto fault = StartOf(def, request, &start)) return fault;
    const bool within = range.begin <= start && (range.end.bytes().empty() || start < range.end);
    if (request.key && !start.bytes().starts_with(
                           HashPrefix(request.index, request.key->hash, request.key->more_hash).bytes()))
      return Invalid(kStartOutside);
    // A page's last key is always a row that its query found.
    if (!within) return Invalid(request.key ? kStartUnlikeRange : kStartOutside);
    if (request.forward)
      range.begin = std::max(range.begin, SortKey(start.bytes() + '\0'));
    else if (range.end.bytes().empty() || start < range.end)
      range.end = start;
    if (!range.end.bytes().empty() && range.end <= range.begin) return {};
  }
  Pager pager(reads, def, request, out);
  return pager.Fill(range);
}

}  // namespace parley::storage
