#include "fanout/verify/entry_facts.h"

#include "threads/preview.h"

namespace parley::fanout {
namespace {

constexpr const char* kNull = "null";

std::string Shown(const std::string& text) {
  return "'" + text + "'";
}
std::string Shown(int64_t number) {
  return std::to_string(number);
}
std::string Shown(bool flag) {
  return flag ? "true" : "false";
}
std::string TextOrNull(const std::string& text) {
  return text.empty() ? kNull : Shown(text);
}

std::string Shown(const protocol::Value* value) {
  if (value && value->as_text()) return Shown(std::string(*value->as_text()));
  if (value && value->as_int()) return Shown(*value->as_int());
  if (value && value->as_bool()) return Shown(*value->as_bool());
  return !value || value->is_null() ? kNull : "something else";
}

bool UntilNextMessage(const RawItem& head, const RawItem& member, std::string_view field) {
  const auto at_no = member.HiddenNumber(field);
  return at_no && head.Number("lastMsgNo") <= *at_no;
}

void AddLastMessage(const ThreadFacts& facts, EntryFields* out) {
  if (facts.messages.empty()) {
    out->emplace("lastMessage", kNull);
    return;
  }
  const RawItem& newest = *facts.messages.back();
  for (const char* field : {"messageId", "authorUserId", "type", "createdAt"})
    (*out)[std::string("lastMessage.") + field] = Shown(newest.wire.root.Find(field));
  (*out)["lastMessage.preview"] = Shown(threads::Preview(newest.Text("body")));
}

void AddMute(const RawItem& member, const EntryFields& stored, protocol::Time now, EntryFields* out) {
  const std::string text = member.HiddenText("mutedUntil");
  const auto until = protocol::ParseTime(text);
  const auto shown = stored.find("muted");
  const bool over = until && *until <= now && shown != stored.end() && shown->second == Shown(false);
  const bool muted = member.HiddenFlag("muted") && !over;
  (*out)["muted"] = Shown(muted);
  (*out)["mutedUntil"] = muted ? TextOrNull(text) : kNull;
}

}  // namespace

bool ArchivedNow(const RawItem& head, const RawItem& member) {
  return UntilNextMessage(head, member, "archivedAtNo");
}
bool SnoozedNow(const RawItem& head, const RawItem& member) {
  return !member.HiddenText("snoozedUntil").empty() && UntilNextMessage(head, member, "snoozedAtNo");
}

EntryFields FieldsOf(const protocol::Value& entry) {
  EntryFields out;
  if (!entry.as_map()) return out;
  for (const auto& [name, value] : *entry.as_map()) {
    if (!value.as_map()) {
      out.emplace(name, Shown(&value));
      continue;
    }
    for (const auto& [inner, member] : *value.as_map())
      out.emplace(std::string(name) + "." + std::string(inner), Shown(&member));
  }
  return out;
}

EntryFields ExpectedEntry(const ThreadFacts& facts, const RawItem& member, const EntryFields& stored,
                          protocol::Time now) {
  const RawItem& head = *facts.head;
  const protocol::Value* cards = head.hidden.root.Find("openCards");
  EntryFields out;
  for (const char* field : {"kind", "status", "subject"}) out[field] = Shown(head.wire.root.Find(field));
  out["threadId"] = Shown(facts.thread.ToText());
  out["unread"] = Shown(CountUnread(facts, member));
  out["lastSeq"] = Shown(facts.log.empty() ? int64_t{0} : facts.log.back().seq);
  out["openCards"] =
      Shown(cards && cards->as_array() ? static_cast<int64_t>(cards->as_array()->size()) : int64_t{0});
  out["lastMessageAt"] = TextOrNull(facts.messages.empty() ? "" : facts.messages.back()->Text("createdAt"));
  out["pinned"] = Shown(member.HiddenFlag("pinned"));
  out["archived"] = Shown(ArchivedNow(head, member));
  out["label"] = Shown(member.hidden.root.Find("label"));
  out["request"] = kNull;  // nobody makes any yet
  out["snoozedUntil"] = SnoozedNow(head, member) ? TextOrNull(member.HiddenText("snoozedUntil")) : kNull;
  if (!head.IsNull("subtype")) out["subtype"] = Shown(head.Text("subtype"));
  if (member.HiddenFlag("spam")) out["spam"] = Shown(true);
  AddLastMessage(facts, &out);
  AddMute(member, stored, now, &out);
  return out;
}

}  // namespace parley::fanout
