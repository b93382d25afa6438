#include "threads/panel/tab_rules.h"

#include <algorithm>
#include <map>

#include "protocol/base/reason.h"
#include "threads/model/pins.h"
#include "threads/model/preview.h"
#include "threads/panel/comments.h"

namespace parley::threads {
namespace {

using protocol::TabName;
using protocol::Value;

const protocol::Array& ItemsOf(const Value& content, std::string_view list) {
  static const protocol::Array none;
  const Value* items = content.Find(list);
  return items && items->as_array() ? *items->as_array() : none;
}

std::string_view TextOf(const Value& item, std::string_view field) {
  const Value* value = item.Find(field);
  return value && value->as_text() ? *value->as_text() : std::string_view();
}

// The members that are not null, in a canonical order.
std::map<std::string_view, const Value*> MembersOf(const protocol::Map& map) {
  std::map<std::string_view, const Value*> out;
  for (const auto& [name, value] : map) {
    if (!value.is_null()) out[name] = &value;
  }
  return out;
}

std::string BytesOf(const Value& value) {
  protocol::Writer w;
  w.Put(value);
  return w.Take();
}

// Whether two values are equal: null members and the order of members do not matter.
bool Same(const Value& a, const Value& b) {
  if (a.as_map() && b.as_map()) {
    const auto one = MembersOf(*a.as_map()), other = MembersOf(*b.as_map());
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](const auto& x, const auto& y) {
      return x.first == y.first && Same(*x.second, *y.second);
    });
  }
  if (a.as_array() && b.as_array()) {
    const auto &one = *a.as_array(), &other = *b.as_array();
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), Same);
  }
  return BytesOf(a) == BytesOf(b);
}

Error NotForFinals(std::string_view manifest, const char* why, const char* what,
                   protocol::Reason reason = protocol::Reason::kFinalStays) {
  Error error = ErrorFor(reason, why);
  error.fields.emplace_back("content.finals", what + Quotable(manifest));
  return error;
}

// The items of a list, by their ids.
std::map<std::string_view, const Value*> ById(const Value& content, std::string_view list,
                                              std::string_view id) {
  std::map<std::string_view, const Value*> out;
  for (const Value& item : ItemsOf(content, list)) out[TextOf(item, id)] = &item;
  return out;
}

std::string TitleOf(const Value& item, std::string_view title, std::string_view id) {
  const std::string text = Quotable(TextOf(item, title));
  return text.empty() ? Quotable(TextOf(item, id)) : text;
}

// Items of `list` whose `field` is `value` now and was not before.
std::vector<const Value*> Became(const Value& before, const Value& after, std::string_view list,
                                 std::string_view id, std::string_view field, std::string_view value) {
  std::vector<const Value*> out;
  const auto old = ById(before, list, id);
  for (const Value& item : ItemsOf(after, list)) {
    if (TextOf(item, field) != value) continue;
    const auto was = old.find(TextOf(item, id));
    if (was == old.end() || TextOf(*was->second, field) != value) out.push_back(&item);
  }
  return out;
}

}  // namespace

protocol::Tab EmptyTab(TabName tab, const ThreadRow& head) {
  protocol::Tab out;
  out.tab = tab;
  out.version = 0;
  protocol::Writer w;
  w.BeginMap(0);
  out.content.msgpack = w.Take();
  out.updated_at = head.item.created_at;
  return out;
}

protocol::Tab ActionsTab(const ThreadRow& head, const std::vector<protocol::Card>& open) {
  protocol::Tab out = EmptyTab(TabName::kActions, head);
  out.version = out.seq = head.item.last_seq;
  protocol::Writer w;
  w.BeginMap(1);
  w.Text("cards");
  w.BeginArray(open.size());
  const auto put = [&w](std::string_view name, const auto& value) {
    w.Text(name);
    protocol::Put(w, value);
  };
  for (const protocol::Card& card : open) {
    w.BeginMap(8);
    put("messageId", card.message_id);
    put("type", card.type);
    put("state", card.state);
    put("version", card.version);
    put("createdBy", card.created_by);
    put("createdAt", card.created_at);
    put("updatedAt", card.updated_at);
    put("expiresAt", card.expires_at);
    out.updated_at = std::max(out.updated_at, card.updated_at);
  }
  out.content.msgpack = w.Take();
  return out;
}

Result<protocol::Document> ReadContent(const std::optional<TabRow>& tab) {
  protocol::Document out;
  if (!tab) {
    out.root = Value(protocol::Map());
  } else if (!DecodeStored(tab->item.content.msgpack, &out)) {
    return Error(ErrorCode::kInternal, "stored data cannot be read");
  }
  return out;
}

protocol::Status CheckTabContent(TabName tab, const protocol::Json& content, std::string_view name,
                                 protocol::Document* out) {
  if (protocol::DecodeMsgpack(content.msgpack, {}, out))
    return Error::BadField(std::string(name), "cannot be read");
  Wrong wrong;
  CheckMap(out->root, *SpecOf(tab).content, nullptr, name, name, &wrong);
  if (wrong.empty()) return protocol::Ok();
  Error error(ErrorCode::kBadRequest, "the content does not fit the tab");
  error.fields = std::move(wrong);
  return error;
}

protocol::Status CheckFinals(const Value& before, const Value& after, bool may_deliver) {
  const auto finals = ById(after, "finals", "manifestRef"), old = ById(before, "finals", "manifestRef");
  for (const auto& [manifest, final] : old) {
    const auto still = finals.find(manifest);
    if (still == finals.end() || !Same(*still->second, *final))
      return NotForFinals(manifest, "a final manifest is not altered once it is there",
                          "must keep as it is: ");
  }
  for (const auto& [manifest, final] : finals) {
    if (!may_deliver && !old.contains(manifest))
      return NotForFinals(manifest, "finals are delivered by the seller",
                          "may not add: ", protocol::Reason::kFinalsBySeller);
  }
  return protocol::Ok();
}

// A service that does not act as a user is no author, so its comments are stored as given.
Result<protocol::Json> FinishShotlist(const protocol::Json& given, const Value& content, const Value& before,
                                      const TabWriter& writer) {
  return writer.user ? WithAuthors(before, given, content, *writer.user, writer.now) : given;
}

Result<protocol::Json> FinishMoodboard(const protocol::Json& given, const Value& content, const Value& before,
                                       const TabWriter& writer) {
  if (!writer.user) return given;
  const protocol::Json ours = WithAuthors(before, given, content, *writer.user, writer.now);
  protocol::Document document;
  if (!DecodeStored(ours.msgpack, &document)) return Error::BadField("content", "cannot be read");
  return WithWithheld(before, ours, document.root, writer.band_max);
}

Result<protocol::Json> FinishExpenses(const protocol::Json&, const Value& content, const Value&,
                                      const TabWriter&) {
  int64_t total = 0;
  std::map<std::string_view, int64_t> legs;
  for (const Value& line : ItemsOf(content, "lines")) {
    const int64_t amount = *line.Find("amountCents")->as_int();
    total += amount;
    if (const std::string_view leg = TextOf(line, "legId"); !leg.empty()) legs[leg] += amount;
  }
  if (const Value* claimed = content.Find("totalCents");
      claimed && claimed->as_int() && *claimed->as_int() != total)
    return Error::BadField("content.totalCents", "is not the sum of the lines");
  for (const Value& claimed : ItemsOf(content, "legTotals")) {
    const auto leg = legs.find(TextOf(claimed, "legId"));
    if (leg == legs.end() || *claimed.Find("amountCents")->as_int() != leg->second)
      return Error::BadField("content.legTotals", "is not the sum of the lines");
  }
  protocol::Writer w;
  const std::string_view currency = TextOf(content, "currency");
  w.BeginMap(currency.empty() ? 3 : 4);
  if (!currency.empty()) {
    w.Text("currency");
    w.Text(currency);
  }
  w.Text("lines");
  w.Put(*content.Find("lines"));
  w.Text("totalCents");
  w.Int(total);
  w.Text("legTotals");
  w.BeginArray(legs.size());
  for (const auto& [leg, amount] : legs) {
    w.BeginMap(2);
    w.Text("legId");
    w.Text(leg);
    w.Text("amountCents");
    w.Int(amount);
  }
  return protocol::Json{w.Take()};
}

protocol::ShotProgress CountShots(const Value& content) {
  protocol::ShotProgress out;
  for (const Value& shot : ItemsOf(content, "shots")) {
    ++out.total;
    out.done += TextOf(shot, "status") == "done";
  }
  return out;
}

std::vector<std::string> DocumentsSigned(const Value& before, const Value& after) {
  std::vector<std::string> out;
  for (const Value* doc : Became(before, after, "envelopes", "docId", "status", "signed")) {
    std::string text =
        "Document signed: " + TitleOf(*doc, "title", "docId") + " (" + Quotable(TextOf(*doc, "docId"));
    if (const auto hash = TextOf(*doc, "sha256"); !hash.empty()) text += ", sha256 " + Quotable(hash);
    out.push_back(text + ")");
  }
  return out;
}

std::vector<std::string> PaymentsReceived(const Value& before, const Value& after) {
  std::vector<std::string> out;
  for (const Value* line : Became(before, after, "lines", "lineId", "kind", "payment")) {
    std::string text = "Payment received: " + TitleOf(*line, "title", "lineId");
    if (const auto receipt = TextOf(*line, "receiptRef"); !receipt.empty())
      text += " (receipt " + Quotable(receipt) + ")";
    out.push_back(text);
  }
  return out;
}

std::vector<std::string> FinalsDelivered(const Value& before, const Value& after) {
  std::vector<std::string> out;
  const auto old = ById(before, "finals", "manifestRef");
  for (const Value& final : ItemsOf(after, "finals")) {
    if (old.contains(TextOf(final, "manifestRef"))) continue;
    out.push_back("Finals delivered: " + TitleOf(final, "name", "manifestRef") + " (manifest " +
                  Quotable(TextOf(final, "manifestRef")) + ")");
  }
  return out;
}

}  // namespace parley::threads
