#include "threads/cards/payload.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "protocol/writer.h"
#include "threads/model/rows.h"

namespace parley::threads {
namespace {

using protocol::Document;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::Value;
using protocol::Writer;

constexpr int64_t kTotalMax = 100'000'000'000;

bool Decode(const protocol::Json& json, Document* out) {
  return DecodeStored(json.msgpack, out);
}

std::optional<protocol::Time> TimeOf(const Value* map, std::string_view name) {
  const Value* value = map ? MemberOf(*map, name) : nullptr;
  return value && value->as_text() ? protocol::ParseTime(*value->as_text()) : std::nullopt;
}
int64_t IntOf(const Value& map, std::string_view name) {
  const Value* value = MemberOf(map, name);
  return value && value->as_int() ? *value->as_int() : 0;
}

// Checks the rules that a schema cannot express.
void CheckTimes(const Value& payload, Wrong* wrong) {
  const auto ordered = [&](const Value* map, std::string_view from, std::string_view to, const char* path) {
    const auto begin = TimeOf(map, from), end = TimeOf(map, to);
    if (begin && end && *end <= *begin) Say(path, "must be after the beginning", wrong);
  };
  ordered(&payload, "newStart", "newEnd", "newEnd");
  ordered(&payload, "oldStart", "oldEnd", "oldEnd");
  ordered(MemberOf(payload, "proposed"), "start", "end", "proposed.end");
  ordered(MemberOf(payload, "old"), "start", "end", "old.end");
}

// The total of an extra; nullopt for other kinds.
std::optional<int64_t> TotalOf(const CardKind& kind, const Value& payload) {
  if (kind.payload != &schemas::kExtra) return std::nullopt;
  int64_t total = IntOf(payload, "priceCents");
  if (const Value* items = MemberOf(payload, "items")) {
    for (const Value& item : *items->as_array()) {
      total += IntOf(item, "qty") * std::min(IntOf(item, "unitCents"), kTotalMax);
      total = std::min(total, kTotalMax + 1);
    }
  }
  return total;
}

protocol::Json StoredPayload(const Value& payload, std::optional<int64_t> total) {
  Writer w;
  size_t count = total ? 1 : 0;
  for (const auto& [name, member] : *payload.as_map()) count += member.is_null() ? 0 : 1;
  w.BeginMap(count);
  for (const auto& [name, member] : *payload.as_map()) {
    if (member.is_null()) continue;
    w.Text(name);
    w.Put(member);
  }
  if (total) {
    w.Text("totalCents");
    w.Int(*total);
  }
  return {w.Take()};
}

// In a thread of one leg, a card may name only that leg.
void CheckLeg(const Value& payload, const protocol::Thread& thread, Wrong* wrong) {
  const Value* leg = payload.as_map() ? MemberOf(payload, "legId") : nullptr;
  if (leg && thread.leg_id && leg->as_text() && *leg->as_text() != thread.leg_id->value)
    Say("legId", "is not the thread's leg", wrong);
}

Error Invalid(Wrong wrong) {
  Error error(ErrorCode::kCardInvalid, "the payload does not fit the card");
  error.fields = std::move(wrong);
  return error;
}

bool IsHttps(const Value* text) {
  return !text || (text->as_text() && text->as_text()->starts_with("https://"));
}

void CheckFileOrigin(const Value& file, const std::string& path, Wrong* wrong) {
  if (file.as_text() || MemberOf(file, "s3Key")) {
    Say(path, "is set by services; upload the file, and name its attachmentId", wrong);
  } else if (!IsHttps(MemberOf(file, "manifestRef"))) {
    Say(path + ".manifestRef", "must be an https URL", wrong);
  }
}

protocol::Json OnlyUntil(const protocol::Json& payload) {
  Writer w;
  w.BeginMap(1);
  w.Text("until");
  w.Text(PayloadText(payload, "until"));
  return {w.Take()};
}

}  // namespace

protocol::Status CheckOpenData(std::string_view name, const protocol::Json& data) {
  if (data.msgpack.size() > kMaxPayloadBytes)
    return ErrorFor(protocol::Reason::kCardTooLarge, std::string(name) + " is larger than a card's may be");
  Document document;
  const char* fault =
      protocol::DecodeMsgpack(data.msgpack, {kMaxPayloadBytes, kMaxOpenDepth, kMaxOpenValues}, &document);
  if (!fault) return protocol::Ok();
  return Invalid({{std::string(name), fault}});
}

protocol::Result<CheckedPayload> CheckPayload(const CardKind* kind, const protocol::Thread& thread,
                                              const protocol::Json& payload) {
  if (payload.msgpack.size() > kMaxPayloadBytes)
    return ErrorFor(Reason::kCardTooLarge, "the payload is larger than a card's may be");
  if (!kind) PARLEY_CHECK_OK(CheckOpenData("payload", payload));
  Document document;
  if (!Decode(payload, &document)) return Error::BadField("payload", "cannot be read");
  const Value& root = document.root;
  Wrong wrong;
  CheckMap(root, kind ? *kind->payload : schemas::kAny, &schemas::kIds, "", "payload", &wrong);
  CheckLeg(root, thread, &wrong);
  if (wrong.empty() && kind) {
    CheckTimes(root, &wrong);
    if (TotalOf(*kind, root).value_or(0) > kTotalMax) Say("items", "come to more than is allowed", &wrong);
  }
  if (!wrong.empty()) return Invalid(std::move(wrong));
  CheckedPayload out;
  out.json = StoredPayload(root, kind ? TotalOf(*kind, root) : std::nullopt);
  if (!kind) return out;
  if (kind->type == kShareLocation) out.until = TimeOf(&root, "until");
  if (const Value* most = MemberOf(root, "maxRevisions")) out.max_revisions = *most->as_int();
  if (const Value* ref = MemberOf(root, "manifestRef")) out.manifest = *ref->as_text();
  if (const Value* id = MemberOf(root, "deliverableId"))
    out.deliverable = protocol::MessageId::FromText(*id->as_text());
  if (const Value* version = MemberOf(root, "version")) out.version = *version->as_int();
  return out;
}

protocol::Status CheckOrigins(const CardKind* kind, const protocol::Json& payload, const Caller& caller) {
  Document document;
  if (!kind || caller.is_service() || !Decode(payload, &document)) return protocol::Ok();
  Wrong wrong;
  if (!IsHttps(MemberOf(document.root, "manifestRef"))) Say("manifestRef", "must be an https URL", &wrong);
  for (const SchemaField& field : kind->payload->fields) {
    const Value* files = MemberOf(document.root, field.name);
    const std::string path(field.name);
    // A receipt may still be the name of a picture elsewhere.
    if (files && field.kind == SchemaField::Kind::kFile && files->as_map())
      CheckFileOrigin(*files, path, &wrong);
    if (!files || field.kind != SchemaField::Kind::kFiles) continue;
    const protocol::Array& list = *files->as_array();
    for (size_t i = 0; i < list.size(); ++i) CheckFileOrigin(list[i], path + "." + std::to_string(i), &wrong);
  }
  return wrong.empty() ? protocol::Ok() : protocol::Status(Invalid(std::move(wrong)));
}

protocol::Result<std::optional<std::string>> CheckNote(const std::optional<protocol::Json>& data) {
  if (!data) return std::optional<std::string>();
  Document document;
  if (!Decode(*data, &document)) return Error::BadField("data", "cannot be read");
  Wrong wrong;
  CheckMap(document.root, schemas::kNote, nullptr, "", "data", &wrong);
  if (!wrong.empty()) return Invalid(std::move(wrong));
  const Value* note = MemberOf(document.root, "note");
  return note ? std::optional(std::string(*note->as_text())) : std::nullopt;
}

protocol::Json ShownPayload(std::string_view type, const protocol::Json& payload) {
  return type == kShareLocation ? OnlyUntil(payload) : payload;
}

protocol::Json OnlyBooking(const protocol::Json& payload) {
  std::vector<std::pair<std::string_view, std::string>> kept;
  for (const std::string_view field : {"legId", "orderId"}) {
    if (std::string text = PayloadText(payload, field); !text.empty())
      kept.emplace_back(field, std::move(text));
  }
  protocol::Writer w;
  w.BeginMap(kept.size());
  for (const auto& [field, text] : kept) {
    w.Text(field);
    w.Text(text);
  }
  return {w.Take()};
}

std::optional<int64_t> PayloadInt(const protocol::Json& payload, std::string_view field) {
  Document document;
  if (!Decode(payload, &document)) return std::nullopt;
  const Value* value = document.root.Find(field);
  return value && value->as_int() ? std::optional(*value->as_int()) : std::nullopt;
}

std::string PayloadText(const protocol::Json& payload, std::string_view field) {
  Document document;
  if (!Decode(payload, &document)) return {};
  const Value* value = document.root.Find(field);
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}

}  // namespace parley::threads
