#include "fanout/verify/entry_facts.h"

#include "threads/model/preview.h"

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
  return at_no && head.HiddenNumber("sharedMsgNo").value_or(head.Number("lastMsgNo")) <= *at_no;
}

void AddLastMessage(const ThreadFacts& facts, EntryFields* out) {
  const RawItem* shared = NewestShared(facts);
  if (!shared) {
    out->emplace("lastMessage", kNull);
    return;
  }
  const RawItem& newest = *shared;
  for (const char* field : {"messageId", "authorUserId", "type", "createdAt"})
    (*out)[std::string("lastMessage.") + field] = Shown(newest.wire.root.Find(field));
  // An older program's previews stay as they are; how they were made is no longer known here.
  const protocol::Value* remembered = facts.head->hidden.root.Find("lastMessage");
  const bool todays = facts.head->HiddenNumber("previewRule") == threads::kPreviewRule;
  (*out)["lastMessage.preview"] = todays || !remembered ? Shown(threads::Preview(newest.Text("body")))
                                                        : Shown(remembered->Find("preview"));
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
  const std::string event = member.HiddenText("snoozedFor");
  if (member.HiddenText("snoozedUntil").empty() && event.empty()) return false;
  if (event.empty() || event == "message") return UntilNextMessage(head, member, "snoozedAtNo");
  const char* changed = event == "card" ? "cardSeq" : "statusSeq";
  return head.HiddenNumber(changed).value_or(0) <= member.HiddenNumber("snoozedAtSeq").value_or(0);
}

std::vector<std::string> OpenCardTypes(const RawItem& head, const RawItem& member) {
  std::vector<std::string> out;
  const protocol::Value* cards = head.hidden.root.Find("openCards");
  if (!cards || !cards->as_array()) return out;
  const auto text = [](const protocol::Value* value) {
    return value && value->as_text() ? std::string(*value->as_text()) : "";
  };
  for (const protocol::Value& card : *cards->as_array()) {
    const std::string only_for = text(card.Find("onlyFor"));
    if (only_for.empty() || only_for == member.Text("userId")) out.push_back(text(card.Find("type")));
  }
  return out;
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
  EntryFields out;
  for (const char* field : {"kind", "status", "subject"}) out[field] = Shown(head.wire.root.Find(field));
  out["threadId"] = Shown(facts.thread.ToText());
  out["unread"] = Shown(CountUnread(facts, member));
  out["lastSeq"] = Shown(facts.log.empty() ? int64_t{0} : facts.log.back().seq);
  out["openCards"] = Shown(static_cast<int64_t>(OpenCardTypes(head, member).size()));
  const RawItem* shared = NewestShared(facts);
  out["lastMessageAt"] = TextOrNull(shared ? shared->Text("createdAt") : "");
  out["pinned"] = Shown(member.HiddenFlag("pinned"));
  out["archived"] = Shown(ArchivedNow(head, member));
  out["label"] = Shown(member.hidden.root.Find("label"));
  out["request"] = kNull;  // never set so far
  out["snoozedUntil"] = SnoozedNow(head, member) ? TextOrNull(member.HiddenText("snoozedUntil")) : kNull;
  const std::string event = member.HiddenText("snoozedFor");
  if (SnoozedNow(head, member) && !event.empty()) out["snoozedUntilEvent"] = Shown(event);
  if (!head.IsNull("subtype")) out["subtype"] = Shown(head.Text("subtype"));
  if (member.HiddenFlag("spam")) out["spam"] = Shown(true);
  AddLastMessage(facts, &out);
  AddMute(member, stored, now, &out);
  return out;
}

}  // namespace parley::fanout
