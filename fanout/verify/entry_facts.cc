#include "fanout/verify/entry_facts.h"

#include "protocol/base/clusters.h"
#include "threads/model/preview.h"

namespace parley::fanout {
namespace {

constexpr const char* kNull = "null";

// The invitation of the user, or nullptr.
const protocol::Value* InvitationOf(const RawItem& head, const std::string& user) {
  const protocol::Value* invited = head.hidden.root.Find("invited");
  if (!invited || !invited->as_array()) return nullptr;
  for (const protocol::Value& request : *invited->as_array()) {
    const protocol::Value* to = request.as_map() ? request.Find("to") : nullptr;
    if (to && to->as_text() && *to->as_text() == user) return &request;
  }
  return nullptr;
}

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
  if (!value || value->is_null()) return kNull;
  protocol::Writer all;
  all.Put(*value);
  return Shown(all.bytes());
}

bool UntilNextMessage(const RawItem& head, const RawItem& member, std::string_view field) {
  const auto at_no = member.HiddenNumber(field);
  return at_no && head.HiddenNumber("sharedMsgNo").value_or(head.Number("lastMsgNo")) <= *at_no;
}

// The first `most` code points: older releases cut previews without regard to grapheme clusters.
std::string FirstOf(const std::string& text, int64_t most) {
  std::string out;
  int64_t characters = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++characters;
    if (characters <= most) out += c;
  }
  return out;
}

// Both users are shown the request. To its sender, a block looks like a decline.
void AddRequest(const RawItem& head, const RawItem& member, EntryFields* out) {
  const std::string user = member.Text("userId");
  const protocol::Value* request = head.hidden.root.Find("request");
  if (member.HiddenFlag("invited")) request = InvitationOf(head, user);
  const auto text = [&](const char* field) {
    const protocol::Value* value = request && request->as_map() ? request->Find(field) : nullptr;
    return value && value->as_text() ? std::string(*value->as_text()) : "";
  };
  const std::string to = text("to");
  if (to.empty() || (user != to && user != text("from"))) {
    (*out)["request"] = kNull;
    return;
  }
  const bool hidden = text("state") == "blocked" && user != to;
  (*out)["request.requestId"] = Shown(text("requestId"));
  (*out)["request.fromUserId"] = Shown(text("from"));
  (*out)["request.state"] = Shown(hidden ? std::string("declined") : text("state"));
  (*out)["request.createdAt"] = Shown(text("createdAt"));
  (*out)["request.expiresAt"] = Shown(text("expiresAt"));
  (*out)["request.creditCost"] = Shown(request->Find("creditCost"));
  if (const protocol::Value* contact = request->Find("contact"); contact && !contact->is_null())
    (*out)["request.contact"] = Shown(contact);
}

// The word for the attachments of a message without a body.
std::string WordFor(const protocol::Value& files) {
  size_t photos = 0, videos = 0;
  for (const protocol::Value& file : *files.as_array()) {
    const protocol::Value* mime = file.Find("mime");
    const std::string_view type = mime && mime->as_text() ? *mime->as_text() : std::string_view();
    photos += type.starts_with("image/") ? 1 : 0;
    videos += type.starts_with("video/") ? 1 : 0;
  }
  const size_t all = files.as_array()->size();
  return std::string(photos == all ? "Photo" : videos == all ? "Video" : "File") + (all > 1 ? "s" : "");
}

std::string PreviewFor(const RawItem& message) {
  const protocol::Value* files = message.wire.root.Find("attachments");
  const bool has_files = files && files->as_array() && !files->as_array()->empty();
  const std::string body(message.Text("body"));
  return body.empty() && has_files ? WordFor(*files) : threads::Preview(body);
}

void AddLastMessage(const ThreadFacts& facts, const RawItem& member, EntryFields* out) {
  const RawItem* shared = NewestShared(facts);
  const bool kept_out = KeptOut(*facts.head, member);
  const bool untold = member.HiddenFlag("invited") || RequestIn(*facts.head, "state") != "pending";
  if (!shared || (kept_out && untold)) {
    out->emplace("lastMessage", kNull);
    return;
  }
  const RawItem& newest = *shared;
  for (const char* field : {"messageId", "authorUserId", "type", "createdAt"})
    (*out)[std::string("lastMessage.") + field] = Shown(newest.wire.root.Find(field));
  // Previews of older releases stay as they are; this code does not have their rules.
  const protocol::Value* remembered = facts.head->hidden.root.Find("lastMessage");
  const int64_t rule = facts.head->HiddenNumber("previewRule").value_or(0);
  const bool todays = rule == threads::kPreviewRule;
  const protocol::Value* kept = remembered ? remembered->Find("preview") : nullptr;
  const std::string before = kept && kept->as_text() ? std::string(*kept->as_text()) : "";
  const std::string preview = todays || !remembered ? PreviewFor(newest) : before;
  const protocol::Value* most =
      kept_out ? facts.head->hidden.root.Find("request")->Find("previewMax") : nullptr;
  const auto shown = [&](int64_t code_points) {
    if (rule < threads::kCodePointsRule) return FirstOf(preview, code_points);
    return std::string(protocol::FirstCodePoints(preview, static_cast<size_t>(code_points)));
  };
  (*out)["lastMessage.preview"] = Shown(most && most->as_int() ? shown(*most->as_int()) : preview);
}

bool IsOld(const EntryFields& stored) {
  const auto created = stored.find("createdAt");
  return !stored.empty() && (created == stored.end() || created->second == kNull) && stored.contains("muted");
}

void AddMute(const RawItem& member, const EntryFields& stored, protocol::Time now, EntryFields* out) {
  const std::string text = member.HiddenText("mutedUntil");
  const auto until = protocol::ParseTime(text);
  // Older releases wrote an ended mute as not muted.
  const auto shown = stored.find("muted");
  const bool over = IsOld(stored) && until && *until <= now && shown->second == Shown(false);
  const bool muted = member.HiddenFlag("muted") && !over;
  (*out)["muted"] = Shown(muted);
  (*out)["mutedUntil"] = muted ? TextOrNull(text) : kNull;
}

}  // namespace

std::string RequestIn(const RawItem& head, std::string_view field) {
  const protocol::Value* request = head.hidden.root.Find("request");
  const protocol::Value* value = request && request->as_map() ? request->Find(field) : nullptr;
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}

std::vector<std::string> AllInvited(const RawItem& head) {
  std::vector<std::string> out;
  const protocol::Value* invited = head.hidden.root.Find("invited");
  if (!invited || !invited->as_array()) return out;
  for (const protocol::Value& request : *invited->as_array()) {
    const protocol::Value* to = request.as_map() ? request.Find("to") : nullptr;
    if (to && to->as_text()) out.emplace_back(*to->as_text());
  }
  return out;
}

std::string InvitationText(const RawItem& head, const std::string& user, std::string_view field) {
  const protocol::Value* request = InvitationOf(head, user);
  const protocol::Value* value = request ? request->Find(field) : nullptr;
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}

std::optional<RawItem> InvitedIn(const RawItem& head, const std::string& user) {
  if (!InvitationOf(head, user)) return std::nullopt;
  RawItem out;
  protocol::DecodeLimits limits;
  // Ids need no escaping.
  if (protocol::DecodeJson("{\"userId\":\"" + user + "\",\"removedAt\":null}", limits, &out.wire) ||
      protocol::DecodeJson("{\"invited\":true}", limits, &out.hidden))
    return std::nullopt;
  return out;
}

bool KeptOut(const RawItem& head, const RawItem& member) {
  if (member.HiddenFlag("invited")) return true;
  const std::string to = RequestIn(head, "to");
  return !to.empty() && to == member.Text("userId") && RequestIn(head, "state") != "accepted";
}

bool IsUnlisted(const RawItem& head, const RawItem& member) {
  return !member.HiddenFlag("invited") && KeptOut(head, member) && RequestIn(head, "state") == "expired";
}

int64_t UnreadShown(const ThreadFacts& facts, const RawItem& member) {
  if (member.HiddenFlag("invited")) return 0;
  const bool turned_away = KeptOut(*facts.head, member) && RequestIn(*facts.head, "state") != "pending";
  return turned_away ? 0 : CountUnread(facts, member);
}

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
  out["unread"] = Shown(UnreadShown(facts, member));
  out["lastSeq"] = Shown(facts.log.empty() ? int64_t{0} : facts.log.back().seq);
  out["openCards"] = Shown(static_cast<int64_t>(OpenCardTypes(head, member).size()));
  const RawItem* shared = NewestShared(facts);
  out["lastMessageAt"] = TextOrNull(shared ? shared->Text("createdAt") : "");
  out["pinned"] = Shown(member.HiddenFlag("pinned"));
  out["archived"] = Shown(ArchivedNow(head, member));
  out["label"] = Shown(member.hidden.root.Find("label"));
  AddRequest(head, member, &out);
  out["snoozedUntil"] = SnoozedNow(head, member) ? TextOrNull(member.HiddenText("snoozedUntil")) : kNull;
  const std::string event = member.HiddenText("snoozedFor");
  if (SnoozedNow(head, member) && !event.empty()) out["snoozedUntilEvent"] = Shown(event);
  if (!head.IsNull("subtype")) out["subtype"] = Shown(head.Text("subtype"));
  if (member.HiddenFlag("spam")) out["spam"] = Shown(true);
  // Rows of older releases do not have these until they are rewritten.
  if (!IsOld(stored)) {
    out["createdAt"] = Shown(head.wire.root.Find("createdAt"));
    out["safeModeRequired"] = Shown(head.wire.root.Find("safeModeRequired"));
    out["readNo"] = Shown(ReadBase(facts, member));
    out["blockedUntil"] = TextOrNull(member.HiddenText("blockedUntil"));
  } else {
    for (const char* field : {"createdAt", "safeModeRequired", "readNo", "blockedUntil"}) {
      if (stored.contains(field)) out[field] = kNull;
    }
  }
  AddLastMessage(facts, member, &out);
  if (member.HiddenFlag("invited")) {
    out["lastSeq"] = out["readNo"] = out["openCards"] = Shown(int64_t{0});
    out["lastMessageAt"] = kNull;
  }
  AddMute(member, stored, now, &out);
  return out;
}

}  // namespace parley::fanout
