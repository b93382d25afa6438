#include "gateway/ops/asyncapi.h"

#include <nlohmann/json.hpp>
#include <span>

#include "features/ops.h"
#include "gateway/ops/reply_shapes.h"
#include "protocol/base/reason.h"
#include "protocol/frame.h"
#include "protocol/json_schema.h"
#include "protocol/message_items.h"

namespace parley::gateway {
namespace {

using namespace protocol;  // almost every name here is one of the wire

using Tree = nlohmann::ordered_json;
namespace in = protocol::schema_internal;

// --- types → JSON Schema

template <class T>
Tree SchemaOf(NamedSchemas* named) {
  return Tree::parse(JsonSchema<T>(named));
}

// --- frames

Tree Object(Tree properties, std::vector<std::string> required) {
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

std::string ErrorCodes(NamedSchemas*) {
  Tree codes = Tree::array();
  for (size_t i = 0; i < kErrorCodeCount; ++i) codes.push_back(Describe(static_cast<ErrorCode>(i)).name);
  return Tree({{"type", "string"}, {"enum", std::move(codes)}}).dump();
}

std::string ErrorText(NamedSchemas* named) {
  return Object({{"code", Tree::parse(named->Refer("ErrorCode", &ErrorCodes))},
                 {"message", {{"type", "string"}, {"description", "for developers"}}},
                 {"hint", {{"type", "string"}, {"minLength", 1}, {"description", "safe to show a person"}}},
                 {"corrId", {{"type", "string"}, {"description", "also in the server's log"}}},
                 {"retryAfterMs", {{"type", "integer"}, {"minimum", 0}}},
                 {"current", {{"description", "the server's copy, at a version conflict"}}},
                 {"fields", {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}}}},
                {"code", "message", "hint", "corrId"})
      .dump();
}

const Tree kId = {{"type", "integer"}, {"minimum", 0}, {"maximum", 4294967295}};

Tree RequestMessage(std::string_view op, std::string_view doc, Tree args) {
  Tree payload = Object({{"id", kId}, {"op", {{"const", op}}}, {"args", std::move(args)}}, {"op"});
  payload["additionalProperties"] = false;
  return {{"name", op}, {"summary", doc}, {"payload", std::move(payload)}};
}

Tree ReplyMessage(std::string_view op, Tree reply, NamedSchemas* named) {
  return {{"name", std::string(op) + " reply"},
          {"payload",
           {{"oneOf", Tree::array({Object({{"id", kId}, {"ok", std::move(reply)}}, {"id", "ok"}),
                                   Object({{"id", kId}, {"error", Tree::parse(ErrorSchema(named))}},
                                          {"id", "error"})})}}}};
}

Tree ItemSchema(ChangeKind kind, NamedSchemas* named) {
  switch (kind) {
    case ChangeKind::kThread:
      return SchemaOf<Thread>(named);
    case ChangeKind::kParticipant:
      return SchemaOf<Participant>(named);
    case ChangeKind::kMessage:
      return SchemaOf<Message>(named);
    case ChangeKind::kCard:
      return SchemaOf<Card>(named);
    case ChangeKind::kTab:
      return SchemaOf<Tab>(named);
  }
  return Tree::object();
}

// The members of an event other than "ev".
Tree EventMembers(EventKind kind, NamedSchemas* named) {
  const Tree thread = SchemaOf<ThreadId>(named), user = SchemaOf<UserId>(named), time = SchemaOf<Time>(named),
             number = SchemaOf<int64_t>(named);
  if (const auto item = Describe(kind).item)
    return {{"threadId", thread}, {"seq", number}, {"at", time}, {"item", ItemSchema(*item, named)}};
  switch (kind) {
    default:
      break;
    case EventKind::kSkip:
    case EventKind::kThreadSynced:
      return {{"threadId", thread}, {"seq", number}};
    case EventKind::kParticipantRead:
      return {{"threadId", thread},
              {"userId", user},
              {"lastReadMsgId", SchemaOf<std::optional<MessageId>>(named)},
              {"lastReadAt", SchemaOf<std::optional<Time>>(named)}};
    case EventKind::kInboxUpdated:
      return {{"entry", SchemaOf<Entry>(named)}};
    case EventKind::kRequestUpdated:
      return {{"threadId", thread}, {"request", SchemaOf<MessageRequest>(named)}};
    case EventKind::kTyping:
      return {{"threadId", thread}, {"userIds", {{"type", "array"}, {"items", user}}}};
    case EventKind::kPresence:
      return {{"threadId", thread}, {"userId", user}, {"online", SchemaOf<bool>(named)}};
    case EventKind::kSessionExpiring:
      return {{"expiresAt", time}};
    case EventKind::kSessionDraining:
      return {{"reconnectWithinMs", number}};
  }
  return Tree::object();
}

Tree EventMessage(EventKind kind, NamedSchemas* named) {
  Tree properties = {{"ev", {{"const", NameOf(kind)}}}};
  std::vector<std::string> required = {"ev"};
  const Tree members = EventMembers(kind, named);
  for (const auto& [name, schema] : members.items()) {
    properties[name] = schema;
    required.push_back(name);
  }
  return {{"name", NameOf(kind)}, {"payload", Object(std::move(properties), std::move(required))}};
}

// Keys of AsyncAPI maps must not contain dots.
std::string KeyOf(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = c == '.' ? '-' : c;
  return out;
}

Tree Reference(const std::string& path) {
  return {{"$ref", path}};
}

// --- Markdown

std::string TypeName(const Tree& schema, const NamedSchemas& named) {
  constexpr size_t kBeforeName = std::string_view("#/components/schemas/").size();
  if (schema.contains("anyOf")) return TypeName(schema["anyOf"][0], named);  // a nullable field
  if (schema.contains("$ref"))
    return TypeName(Tree::parse(named.TextOf(schema["$ref"].get<std::string>().substr(kBeforeName))), named);
  if (schema.contains("enum")) {
    std::string out;
    for (const auto& name : schema["enum"]) out += (out.empty() ? "`" : " `") + name.get<std::string>() + "`";
    return out;
  }
  if (schema.contains("format")) return "time";
  if (schema.contains("pattern")) return "id";
  if (!schema.contains("type")) return "any";
  std::string type = (schema["type"].is_array() ? schema["type"][0] : schema["type"]).get<std::string>();
  if (schema.contains("maxLength")) type += ", ≤ " + schema["maxLength"].dump() + " bytes";
  if (schema.contains("maxItems")) type += ", ≤ " + schema["maxItems"].dump();
  if (schema.contains("maximum") && schema["maximum"] != kMaxSafeInteger)
    type += " " + schema["minimum"].dump() + "…" + schema["maximum"].dump();
  return type;
}

// One row of a table.
struct FieldNotes {
  std::string_view name, doc;
  std::string type;
  const char* presence;
};
using Notes = std::vector<FieldNotes>;

template <Described T>
Notes NotesOf() {
  NamedSchemas named;
  Notes out;
  auto add = [&]<class C, class M>(std::string_view name, M C::*, std::string_view doc) {
    out.push_back({name, doc, TypeName(SchemaOf<M>(&named), named),
                   in::IsClearable<M>::value  ? "may be missing; null clears"
                   : in::IsOptional<M>::value ? "may be null"
                   : in::IsOmit<M>::value     ? "may be missing"
                                              : "always"});
  };
  T::Fields(add);
  return out;
}

std::string FieldTable(const std::string& title, const Notes& fields) {
  if (fields.empty()) return title + ": none.\n\n";
  std::string rows;
  for (const FieldNotes& field : fields) {
    rows += "| `" + std::string(field.name) + "` | " + field.type + " | " + field.presence + " | " +
            std::string(field.doc) + " |\n";
  }
  return title + ":\n\n| field | type | presence | meaning |\n|---|---|---|---|\n" + rows + "\n";
}

// The items that are documented, in this order.
struct ItemNotes {
  std::string_view name;
  Notes (*fields)();
};
constexpr ItemNotes kItems[] = {{"Thread", &NotesOf<Thread>},
                                {"Participant", &NotesOf<Participant>},
                                {"Me", &NotesOf<Me>},
                                {"Message", &NotesOf<Message>},
                                {"MessageFlags", &NotesOf<MessageFlags>},
                                {"Attachment", &NotesOf<Attachment>},
                                {"Entry", &NotesOf<Entry>},
                                {"LastMessage", &NotesOf<LastMessage>},
                                {"MessageRequest", &NotesOf<MessageRequest>},
                                {"Tab", &NotesOf<Tab>},
                                {"Reaction", &NotesOf<Reaction>},
                                {"PinMark", &NotesOf<PinMark>},
                                {"BroadcastMark", &NotesOf<BroadcastMark>},
                                {"ShotProgress", &NotesOf<ShotProgress>},
                                {"Card", &NotesOf<Card>},
                                {"OwnTransition", &NotesOf<OwnTransition>},
                                {"CardAwaiting", &NotesOf<CardAwaiting>},
                                {"CardError", &NotesOf<CardError>},
                                {"MessageAction", &NotesOf<MessageAction>},
                                {"OutboxItem", &NotesOf<OutboxItem>}};

// Marks the fields that the compact form may leave out, if the item has one.
std::string ItemTable(const ItemNotes& item, const Tree& rules) {
  if (!rules.contains(item.name)) return FieldTable("Fields", item.fields());
  const Tree& defaults = rules[std::string(item.name)];
  std::string rows;
  for (const FieldNotes& field : item.fields()) {
    const std::string name(field.name);
    const bool has = defaults.contains(name) && defaults[name].contains("default");
    rows += "| `" + name + "` | " + field.type + " | " + field.presence + " | " +
            (has ? "`" + defaults[name]["default"].dump() + "`" : "") + " | " + std::string(field.doc) +
            " |\n";
  }
  return "Fields:\n\n| field | type | presence | default | meaning |\n|---|---|---|---|---|\n" + rows + "\n";
}

std::string ItemTables() {
  const Tree rules = Tree::parse(CompactRules(AllReplyShapes()))["items"];
  std::string out;
  for (const ItemNotes& item : kItems)
    out += "\n## " + std::string(item.name) + "\n\n" + ItemTable(item, rules);
  return out;
}

// The name, args and reply of each op, in order.
struct OpNotes {
  std::string_view name, doc;
  Notes (*args)();
  Notes (*reply)();
  NamedSchemas::Make args_schema, reply_schema;
};
std::vector<OpNotes> AllOpNotes() {
  std::vector<OpNotes> out;
  ForEachOp(features::AllOps{}, [&]<class Op>() {
    using Args = typename Op::Args;
    using Reply = typename Op::Reply;
    out.push_back(
        {Op::kName, Op::kDoc, &NotesOf<Args>, &NotesOf<Reply>, &JsonSchema<Args>, &JsonSchema<Reply>});
  });
  return out;
}

// The hints of each code: one for each reason, or its only one.
std::string HintTable() {
  std::string out = "| code | hint |\n|---|---|\n";
  const auto add = [&](ErrorCode code, std::string_view hint) {
    out += "| `" + std::string(Describe(code).name) + "` | " + std::string(hint) + " |\n";
  };
  for (size_t i = 0; i < kErrorCodeCount; ++i) {
    const auto code = static_cast<ErrorCode>(i);
    bool reasons = false;
    for (const ReasonInfo& info : Reasons()) {
      if (info.code != code) continue;
      add(code, info.hint);
      reasons = true;
    }
    if (!reasons) add(code, Describe(code).hint);
  }
  return out;
}

// Which ops are on one page of docs/protocol/: those whose names begin with one of these words.
struct OpGroup {
  std::string_view file, title;
  std::vector<std::string_view> prefixes;
};
const std::vector<OpGroup>& OpGroups() {
  static const std::vector<OpGroup> groups = {
      {"ops-session", "Ops: sessions, presence and users", {"session", "typing", "presence", "user"}},
      {"ops-threads", "Ops: threads and participants", {"thread", "participant"}},
      {"ops-messages", "Ops: messages and the inbox", {"message", "read", "inbox"}},
      {"ops-projects", "Ops: the panel and cards", {"tab", "card", "outbox"}},
      {"ops-moderation", "Ops: moderation, requests and contacts", {"moderation", "request", "contact"}}};
  return groups;
}

DocPage PageOf(std::string_view file, std::string_view title, std::string_view source,
               std::string_view text) {
  std::string out = "# " + std::string(title) +
                    "\n\n<!-- Printed by `parleyd --docs`; a test compares. Edit " + std::string(source) +
                    " instead. -->\n" + std::string(text);
  while (out.ends_with("\n\n")) out.pop_back();
  return {"protocol/" + std::string(file) + ".md", std::move(out)};
}

DocPage OpPage(const OpGroup& group) {
  std::string out;
  for (const OpNotes& op : AllOpNotes()) {
    const std::string_view prefix = op.name.substr(0, op.name.find('.'));
    if (std::find(group.prefixes.begin(), group.prefixes.end(), prefix) == group.prefixes.end()) continue;
    out += "\n## `" + std::string(op.name) + "`\n\n" + std::string(op.doc) + "\n\n" +
           FieldTable("Args", op.args()) + FieldTable("Reply", op.reply());
    out.pop_back();
  }
  return PageOf(group.file, group.title, "protocol/ops/ and features/*/ops.h", out);
}

DocPage ErrorPage() {
  std::string out = "\n| code | HTTP | when |\n|---|---|---|\n";
  for (size_t i = 0; i < kErrorCodeCount; ++i) {
    const ErrorCodeInfo& info = Describe(static_cast<ErrorCode>(i));
    out += "| `" + std::string(info.name) + "` | " + std::to_string(info.http_status) + " | " +
           std::string(info.when) + " |\n";
  }
  out += "\n## Hints\n\n" + HintTable();
  out += "\n## Close codes\n\n| code | reason | reaction of a client |\n|---|---|---|\n";
  for (const CloseCodeInfo& info : CloseCodes()) {
    out += "| " + std::to_string(static_cast<int>(info.code)) + " | " + std::string(info.reason) + " | " +
           std::string(info.next) + " |\n";
  }
  return PageOf("errors", "Errors and close codes", "protocol/base/error.cc and protocol/base/reason.cc",
                out);
}

}  // namespace

std::string ErrorSchema(NamedSchemas* named) {
  return named->Refer("Error", &ErrorText);
}

std::string AsyncApiDocument() {
  Tree messages = Tree::object(), in_channel = Tree::object(), operations = Tree::object(),
       events = Tree::array();
  NamedSchemas named;
  const auto add = [&](const std::string& key, Tree message) {
    messages[key] = std::move(message);
    in_channel[key] = Reference("#/components/messages/" + key);
    return Reference("#/channels/session/messages/" + key);
  };
  for (const OpNotes& op : AllOpNotes()) {
    const std::string key = KeyOf(op.name);
    const Tree request = add(key, RequestMessage(op.name, op.doc, Tree::parse(op.args_schema(&named)))),
               reply =
                   add(key + "-reply", ReplyMessage(op.name, Tree::parse(op.reply_schema(&named)), &named));
    operations[key] = {
        {"action", "receive"},
        {"channel", Reference("#/channels/session")},
        {"summary", op.doc},
        {"messages", Tree::array({request})},
        {"reply", {{"channel", Reference("#/channels/session")}, {"messages", Tree::array({reply})}}}};
  }
  for (const EventKindInfo& info : kEventKinds) {
    if (info.of == EventClass::kIntegration) continue;
    events.push_back(add("event-" + KeyOf(info.name), EventMessage(info.kind, &named)));
  }
  operations["events"] = {
      {"action", "send"}, {"channel", Reference("#/channels/session")}, {"messages", std::move(events)}};
  Tree closes = Tree::array();
  for (const CloseCodeInfo& info : CloseCodes()) {
    closes.push_back({{"code", static_cast<int>(info.code)}, {"reason", info.reason}, {"next", info.next}});
  }
  const Tree document = {
      {"asyncapi", "3.0.0"},
      {"info",
       {{"title", "Parley"},
        {"version", "1.0.0"},
        {"description",
         "The WebSocket protocol of Parley: subprotocols parley.v1.json (text frames) and parley.v1.msgpack "
         "(binary frames) carry "
         "the same maps. Schemas show the full form; x-compact of the channel lists the fields that are left "
         "out "
         "for a session that asks for `compact` in its hello. Generated from the server's own structs."}}},
      {"defaultContentType", "application/json"},
      {"servers", {{"local", {{"host", "localhost:8080"}, {"protocol", "ws"}}}}},
      {"channels",
       {{"session",
         {{"address", "/v1/ws"},
          {"messages", std::move(in_channel)},
          {"x-close-codes", std::move(closes)},
          {"x-compact", Tree::parse(CompactRules(AllReplyShapes()))}}}}},
      {"operations", std::move(operations)},
      {"components", {{"messages", std::move(messages)}, {"schemas", Tree::parse(named.AllText())}}}};
  return document.dump(1) + "\n";
}

std::vector<DocPage> ProtocolPages() {
  std::vector<DocPage> pages;
  for (const OpGroup& group : OpGroups()) pages.push_back(OpPage(group));
  pages.push_back(PageOf("items", "Items", "protocol/items.h", ItemTables()));
  pages.push_back(ErrorPage());
  return pages;
}

}  // namespace parley::gateway
