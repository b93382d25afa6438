#include "protocol/message_items.h"
#include "tests/threads/op_text.h"

namespace parley::threads {

std::vector<std::string> SplitText(std::string_view line, char separator) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  int depth = 0;
  for (const char c : line) {
    if (c == '\'' && depth == 0) quoted = !quoted;
    if (!quoted && (c == '{' || c == '[')) ++depth;
    if (!quoted && (c == '}' || c == ']')) --depth;
    if (c == separator && !quoted && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::erase_if(parts,
                [](const std::string& part) { return part.find_first_not_of(" \n") == std::string::npos; });
  return parts;
}

protocol::Document DecodeOwn(std::string_view msgpack) {
  protocol::DecodeLimits limits;
  limits.max_bytes = size_t{64} << 20;
  limits.max_values = size_t{1} << 22;
  protocol::Document document;
  if (protocol::DecodeMsgpack(std::string(msgpack), limits, &document))
    std::abort();  // not written by a Writer
  return document;
}

Caller CallerFrom(std::string_view text) {
  Caller caller;
  caller.tenant = TenantId{"demo"};
  if (const size_t at = text.find('@'); at != std::string_view::npos) {
    caller.tenant = TenantId{protocol::KeyText::UpToNul(text.substr(at + 1))};
    text = text.substr(0, at);
  }
  std::string_view inside;
  if (const size_t open = text.find('('); open != std::string_view::npos) {
    inside = text.substr(open + 1, text.size() - open - 2);
    text = text.substr(0, open);
  }
  if (text == "service") {
    caller.role = Role::kService;
    if (!inside.empty()) caller.user = UserId{protocol::KeyText::UpToNul(inside)};
  } else {
    caller.user = UserId{protocol::KeyText::UpToNul(text)};
    if (!inside.empty()) caller.role = protocol::EnumFromName<Role>(inside).value();
  }
  return caller;
}

void PutValue(protocol::Writer& w, const std::string& text, const Names& names) {
  const bool number = !text.empty() && text.find_first_not_of("-0123456789") == std::string::npos;
  if (text.starts_with('\'')) return w.Text(text.substr(1, text.size() - 2));
  if (text.starts_with('{') || text.starts_with('[')) {
    protocol::DecodeLimits limits;
    limits.max_bytes = limits.max_values = size_t{1} << 22;
    protocol::Document document;
    if (protocol::DecodeJson(names.Expand(text), limits, &document)) std::abort();
    return w.Put(document.root);
  }
  if (text == "null") return w.Nil();
  if (text == "true" || text == "false") return w.Bool(text == "true");
  if (number) return w.Int(std::stoll(text));
  // M1.6: the effect requested at seq 6
  const size_t dot = text.rfind('.');
  if (dot != std::string::npos && text.find_first_not_of("0123456789", dot + 1) == std::string::npos)
    return w.Text(names.IdOf(text.substr(0, dot)) + text.substr(dot));
  w.Text(names.IdOf(text));
}

std::string_view SomePayload(std::string_view type) {
  static const std::map<std::string_view, std::string_view> payloads = {
      {"RESCHEDULE",
       R"({"newStart":"2026-01-02T10:00:00.000Z","newEnd":"2026-01-02T12:00:00.000Z","reason":"rain"})"},
      {"REQUEST_EXTRA", R"({"name":"album","priceCents":5000})"},
      {"EXPENSE",
       R"({"amountCents":900,"currency":"EUR","merchant":"taxi","date":"2026-01-01T00:00:00.000Z","receiptImage":"k"})"},
      {"OVERTIME_START", R"({"minutes":30})"},
      {"OVERTIME_STOP", R"({"minutes":30})"},
      {"DELIVERABLE_PROOF", R"({"manifestRef":"https://m.example/m-1"})"},
      {"DELIVERABLE_FINAL", R"({"manifestRef":"https://m.example/m-1"})"},
      {"APPROVE_DELIVERABLE", R"({"deliverableId":"M1"})"},
      {"REQUEST_REVISIONS", R"({"deliverableId":"M1"})"},
      {"CANCEL_REQUEST", R"({"reason":"ill"})"},
      {"REFUND_REQUEST", R"({"reason":"late","amountCents":100})"},
      {"ACCEPTANCE_ACK", R"({"notes":"done"})"},
      {"DEPOSIT_CLAIM_OPEN",
       R"({"amountCents":100,"reason":"scratch","evidence":[{"manifestRef":"https://m.example/e"}]})"},
      {"DISPUTE_OPEN", R"({"reason":"r","details":"d"})"},
      {"SAFETY", R"({"reason":"r","severity":"high"})"},
      {"SHARE_LOCATION", R"({"latE6":1,"lonE6":2,"until":"2027-01-01T00:00:00.000Z"})"}};
  const auto found = payloads.find(type);
  return found == payloads.end() ? "{}" : found->second;
}

std::string FreshClientId() {
  static int made = 0;
  return "fresh-" + std::to_string(++made);
}

std::map<std::string, std::string> DefaultArgs(std::string_view op) {
  std::map<std::string, std::string> args;
  if (op == "thread.create") {
    args = {{"kind", "inquiry"}, {"buyerUserId", "buyer"}, {"sellerUserId", "seller"}};
  } else if (op != "inbox.list" && op != "thread.byProject" && op != "outbox.list") {
    args["threadId"] = "T";
  }
  if (op == "message.send") args["type"] = "text";
  if (op == "card.act") args.insert({{"messageId", "M1"}, {"version", "1"}});
  if (op == "card.resolve") args.insert({{"messageId", "M1"}, {"outcome", "ok"}});
  return args;
}

namespace {

// The name for the next new thread.
std::string UnnamedThread(const Names& names) {
  std::string name = "T";
  for (int i = 2; names.IdOf(name) != name; ++i) name = "T" + std::to_string(i);
  return name;
}

// A service acting for a user has that user's keys.
std::string UserIn(const std::string& caller) {
  const std::string_view service = "service(";
  return caller.starts_with(service) ? caller.substr(service.size(), caller.find(')') - service.size())
                                     : caller;
}

// Shorthands of tests: with=carol,dan are the participants of a thread; direct threads and groups have no
// sides. Each inquiry gets a new role, so that it is a new thread; role=none omits it.
void FinishCreate(const std::string& caller, const Names& names, std::map<std::string, std::string>* args) {
  const std::string kind = (*args)["kind"];
  if (kind == "direct" || kind == "group") {
    if ((*args)["buyerUserId"] == "buyer") args->erase("buyerUserId");
    if ((*args)["sellerUserId"] == "seller") args->erase("sellerUserId");
  }
  if (kind == "inquiry" && !args->contains("role"))
    (*args)["role"] = args->contains("clientId") ? "of-" + UserIn(caller) + "-" + (*args)["clientId"]
                                                 : UnnamedThread(names);
  if (const auto role = args->find("role"); role != args->end() && role->second == "none") args->erase(role);
  const auto with = args->extract("with");
  if (with.empty()) return;
  std::string list;
  for (const std::string& user : SplitText(with.mapped(), ','))
    list += (list.empty() ? "{\"userId\":\"" : ",{\"userId\":\"") + user + "\"}";
  (*args)["participants"] = "[" + list + "]";
}

}  // namespace

Call CallFrom(std::string_view line, const Names& names) {
  const std::vector<std::string> words = SplitText(line, ' ');
  Call call{CallerFrom(words.at(0)), words.at(1), {}};
  auto args = DefaultArgs(call.op);
  for (size_t i = 2; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    args[words[i].substr(0, equals)] = words[i].substr(equals + 1);
  }
  if (call.op == "thread.create") FinishCreate(words[0], names, &args);
  if (call.op == "message.send") args.try_emplace("clientId", args["body"].substr(0, 60));
  if (call.op == "card.create") args.try_emplace("payload", std::string(SomePayload(args["type"])));
  if (call.op == "card.create" || call.op == "card.act" || call.op == "card.resolve")
    args.try_emplace("clientId", FreshClientId());
  protocol::Writer w;
  w.BeginMap(args.size());
  for (const auto& [name, value] : args) {
    w.Text(name);
    PutValue(w, value, names);
  }
  call.args = w.Take();
  return call;
}

std::string ErrorText(const protocol::Error& error) {
  std::string out(protocol::Describe(error.code).name);
  for (const auto& [name, what] : error.fields) out += " " + name;
  if (error.current.empty()) return out;
  const protocol::Document current = DecodeOwn(error.current);  // threads, tabs and cards all have a version
  const protocol::Value* version = current.root.Find("version");
  return out + " current=v" + (version && version->as_int() ? std::to_string(*version->as_int()) : "?");
}

std::string Quoted(const std::string& text) {
  return "'" + text + "'";
}

std::string ItemText(const protocol::Thread& t) {
  std::string out(protocol::NameOf(t.kind));
  out += " v" + std::to_string(t.version);
  if (t.status != protocol::ThreadStatus::kOpen) out += " " + std::string(protocol::NameOf(t.status));
  if (t.subject) out += " subject=" + Quoted(*t.subject);
  if (t.city) out += " city=" + Quoted(*t.city);
  if (t.lbg_id) out += " lbg=" + t.lbg_id->value;
  if (t.leg_id) out += " leg=" + t.leg_id->value;
  if (t.safe_mode_required) out += " safe";
  return out;
}

std::string ItemText(const protocol::Participant& p) {
  return p.user_id.value + " " + std::string(protocol::NameOf(p.role_context)) + "/" +
         std::string(protocol::NameOf(p.permission)) + (p.removed_at ? " gone" : "");
}

std::string ItemText(const protocol::Message& m, const Names& names) {
  std::string out = names.NameOf(m.message_id.ToText()) + " " +
                    (m.author_user_id ? m.author_user_id->value : "-") + " " + Quoted(m.body);
  if (m.type != protocol::MessageType::kText) out += " " + std::string(protocol::NameOf(m.type));
  if (!m.attachments.items.empty()) out += " files=" + std::to_string(m.attachments.items.size());
  if (m.reply_to) out += " re:" + names.NameOf(m.reply_to->ToText());
  if (m.edited_at) out += " edited";
  if (m.deleted_at) out += " deleted";
  for (const protocol::Reaction& one : m.reactions.items)
    out += " " + one.emoji.value + "x" +
           std::to_string(one.count.value.value_or(static_cast<int64_t>(one.user_ids.items.size())));
  if (m.pin.value) out += " pinned by " + m.pin.value->by.value;
  if (m.broadcast.value) out += " " + Quoted(m.broadcast.value->banner);
  return out;
}

std::string ItemText(const protocol::Card& c, const Names& names) {
  std::string out = names.NameOf(c.message_id.ToText()) + " " + c.type.value + " " + c.state.value + " v" +
                    std::to_string(c.version);
  if (c.awaiting) out += " awaiting " + c.awaiting->effect.value;
  if (c.error) out += " error=" + c.error->code.value;
  if (c.supersedes) out += " after " + names.NameOf(c.supersedes->ToText());
  if (c.superseded_by) out += " before " + names.NameOf(c.superseded_by->ToText());
  if (c.note) out += " note=" + Quoted(c.note->value);
  return out;
}

std::string EventText(protocol::EventKind kind, int64_t seq, std::string_view item, const Names& names) {
  using protocol::EventKind;
  std::string out = std::to_string(seq) + " " + std::string(protocol::NameOf(kind)) + " ";
  switch (kind) {
    case EventKind::kThreadCreated:
    case EventKind::kThreadUpdated:
      return out + ItemText(ItemFrom<protocol::Thread>(item));
    case EventKind::kParticipantAdded:
    case EventKind::kParticipantUpdated:
    case EventKind::kParticipantRemoved:
      return out + ItemText(ItemFrom<protocol::Participant>(item));
    case EventKind::kMessageCreated:
    case EventKind::kMessageUpdated:
      return out + ItemText(ItemFrom<protocol::Message>(item), names);
    case EventKind::kCardUpdated:
      return out + ItemText(ItemFrom<protocol::Card>(item), names);
    default: {
      const auto tab = ItemFrom<protocol::Tab>(item);
      return out + std::string(protocol::NameOf(tab.tab)) +
             (tab.version > 1 ? " v" + std::to_string(tab.version) : "");
    }
  }
}

void NameItems(const SharedChange& event, const ThreadId& thread, int* threads, Names* names) {
  if (event.kind == protocol::EventKind::kThreadCreated) {
    const std::string name = ++*threads == 1 ? "T" : "T" + std::to_string(*threads);
    names->Put(name, thread.ToText());
  }
  if (event.kind != protocol::EventKind::kMessageCreated) return;
  const auto message = ItemFrom<protocol::Message>(event.item);
  const std::string of = names->NameOf(thread.ToText());
  names->Put((of == "T" ? "" : of + ".") + "M" + std::to_string(message.msg_no), message.message_id.ToText());
}

std::string Pick(std::string_view msgpack, std::string_view path, const Names& names) {
  const protocol::Document document = DecodeOwn(msgpack);
  std::vector<const protocol::Value*> at = {&document.root};
  for (const std::string& step : SplitText(path, '.')) {
    std::vector<const protocol::Value*> next;
    for (const protocol::Value* value : at) {
      if (const protocol::Array* items = value->as_array()) {
        for (size_t i = 0; i < items->size(); ++i) {
          if (step == "*" || step == std::to_string(i)) next.push_back(&(*items)[i]);
        }
      } else if (const protocol::Value* member = value->Find(step)) {
        next.push_back(member);
      }
    }
    at = std::move(next);
  }
  std::string out;
  for (const protocol::Value* value : at) {
    protocol::Writer w;
    w.Put(*value);
    const protocol::Array* items = value->as_array();
    const std::string text = value->as_text() ? std::string(*value->as_text())
                             : items          ? std::to_string(items->size()) + " items"
                                              : protocol::MsgpackToJson(w.bytes());
    out += (out.empty() ? "" : " ") + names.Shorten(text);
  }
  return out;
}

}  // namespace parley::threads
