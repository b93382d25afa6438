#include "threads/cards/payload.h"

#include <algorithm>

#include "protocol/writer.h"
#include "threads/rows.h"

namespace parley::threads {
namespace {

using protocol::Document;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Value;
using protocol::Writer;
using Kind = PayloadField::Kind;
using Wrong = std::vector<std::pair<std::string, std::string>>;

constexpr size_t kMaxWrong = 16;
constexpr size_t kShownPath = 100;
constexpr int64_t kTotalMax = 100'000'000'000;

bool Decode(const protocol::Json& json, Document* out) {
  return DecodeStored(json.msgpack, out);
}

const Value* Member(const Value& map, std::string_view name) {
  const Value* value = map.Find(name);
  return value && !value->is_null() ? value : nullptr;
}

class Checker {
 public:
  void Say(const std::string& path, std::string what) {
    size_t size = std::min(path.size(), kShownPath);  // names are the client's: cut at a character's end
    while (size < path.size() && size > 0 && (static_cast<uint8_t>(path[size]) & 0xc0) == 0x80) --size;
    if (wrong.size() < kMaxWrong) wrong.emplace_back(path.substr(0, size), std::move(what));
  }

  void CheckMap(const Value& value, const PayloadSchema& schema, const PayloadSchema* more,
                const std::string& at) {
    const protocol::Map* members = value.as_map();
    if (!members) return Say(at.empty() ? "payload" : at, "must be a map");
    const std::string in = at.empty() ? "" : at + ".";
    for (const auto& [name, member] : *members) {
      const PayloadField* field = Find(schema, name);
      if (!field && more) field = Find(*more, name);
      if (field && !member.is_null()) CheckField(member, *field, in + std::string(name));
      if (!field && !schema.open) Say(in + std::string(name), "is not a known field");
    }
    for (const PayloadField& field : schema.fields) {
      if (field.required && !Member(value, field.name)) Say(in + std::string(field.name), "is required");
    }
    CheckForms(value, schema, in);
  }

  Wrong wrong;

 private:
  static const PayloadField* Find(const PayloadSchema& schema, std::string_view name) {
    const auto found = std::find_if(schema.fields.begin(), schema.fields.end(),
                                    [&](const PayloadField& field) { return field.name == name; });
    return found == schema.fields.end() ? nullptr : &*found;
  }

  // Exactly one of the forms, whole.
  void CheckForms(const Value& value, const PayloadSchema& schema, const std::string& in) {
    if (schema.one_of.empty()) return;
    const std::vector<std::string_view>* begun = nullptr;
    for (const auto& form : schema.one_of) {
      const auto given = std::find_if(form.begin(), form.end(),
                                      [&](std::string_view name) { return Member(value, name) != nullptr; });
      if (given == form.end()) continue;
      if (begun) return Say(in + std::string(*given), "does not go with " + std::string(begun->front()));
      begun = &form;
    }
    if (!begun) begun = &schema.one_of.front();
    for (const std::string_view name : *begun) {
      if (!Member(value, name)) Say(in + std::string(name), "is required");
    }
  }

  void CheckField(const Value& value, const PayloadField& field, const std::string& at) {
    switch (field.kind) {
      case Kind::kText: {
        const auto* text = value.as_text();
        if (!text) return Say(at, "must be text");
        if (static_cast<int64_t>(text->size()) < field.low) return Say(at, "is empty");
        if (static_cast<int64_t>(text->size()) > field.high) return Say(at, "is too long");
        return;
      }
      case Kind::kInt:
      case Kind::kCents: {
        const int64_t* number = value.as_int();
        if (!number) return Say(at, "must be a whole number");
        if (*number < 0 && field.kind == Kind::kCents) return Say(at, "must not be negative");
        if (*number < field.low || *number > field.high)
          return Say(at,
                     "must be between " + std::to_string(field.low) + " and " + std::to_string(field.high));
        return;
      }
      case Kind::kBool:
        return value.as_bool() ? void() : Say(at, "must be true or false");
      case Kind::kTime:
        return value.as_text() && protocol::ParseTime(*value.as_text()) ? void() : Say(at, "must be a time");
      case Kind::kWord: {
        const auto* text = value.as_text();
        const auto& words = field.words;
        const bool known = text && std::find(words.begin(), words.end(), *text) != words.end();
        return known ? void() : Say(at, "is not one of the known values");
      }
      case Kind::kMap:
        return CheckMap(value, *field.of, nullptr, at);
      case Kind::kList:
      case Kind::kFiles:
        return CheckList(value, field, at);
      case Kind::kId:
        return value.as_text() && protocol::LegId::FromText(*value.as_text()) ? void()
                                                                              : Say(at, "is not a valid id");
      case Kind::kMessage:
        return value.as_text() && protocol::MessageId::FromText(*value.as_text())
                   ? void()
                   : Say(at, "is not a valid id");
    }
  }

  void CheckList(const Value& value, const PayloadField& field, const std::string& at) {
    const protocol::Array* items = value.as_array();
    if (!items) return Say(at, "must be a list");
    if (static_cast<int64_t>(items->size()) < field.low) return Say(at, "is empty");
    if (static_cast<int64_t>(items->size()) > field.high) return Say(at, "has too many elements");
    for (size_t i = 0; i < items->size(); ++i) {
      const std::string here = at + "." + std::to_string(i);
      if (field.kind == Kind::kList) {
        CheckMap((*items)[i], *field.of, nullptr, here);
      } else {
        CheckFile((*items)[i], here);
      }
    }
  }

  void CheckFile(const Value& value, const std::string& at) {
    const auto fits = [](const Value* v) {
      return v && v->as_text() && !v->as_text()->empty() && v->as_text()->size() <= 1024;
    };
    if (fits(&value)) return;
    const protocol::Map* members = value.as_map();
    if (!members) return Say(at, "must be an s3Key, or a map with s3Key or manifestRef");
    if (members->size() != 1 || (!fits(value.Find("s3Key")) && !fits(value.Find("manifestRef"))))
      Say(at, "must have an s3Key or a manifestRef, and nothing else");
  }
};

std::optional<protocol::Time> TimeOf(const Value* map, std::string_view name) {
  const Value* value = map ? Member(*map, name) : nullptr;
  return value && value->as_text() ? protocol::ParseTime(*value->as_text()) : std::nullopt;
}
int64_t IntOf(const Value& map, std::string_view name) {
  const Value* value = Member(map, name);
  return value && value->as_int() ? *value->as_int() : 0;
}

// What a schema can not say.
void CheckTimes(const Value& payload, Checker* checker) {
  const auto ordered = [&](const Value* map, std::string_view from, std::string_view to, const char* path) {
    const auto begin = TimeOf(map, from), end = TimeOf(map, to);
    if (begin && end && *end <= *begin) checker->Say(path, "must be after the beginning");
  };
  ordered(&payload, "newStart", "newEnd", "newEnd");
  ordered(&payload, "oldStart", "oldEnd", "oldEnd");
  ordered(Member(payload, "proposed"), "start", "end", "proposed.end");
  ordered(Member(payload, "old"), "start", "end", "old.end");
}

// The total of an extra; none for other kinds.
std::optional<int64_t> TotalOf(const CardKind& kind, const Value& payload) {
  if (kind.payload != &schemas::kExtra) return std::nullopt;
  int64_t total = IntOf(payload, "priceCents");
  if (const Value* items = Member(payload, "items")) {
    for (const Value& item : *items->as_array()) {
      total += IntOf(item, "qty") * std::min(IntOf(item, "unitCents"), kTotalMax);
      total = std::min(total, kTotalMax + 1);
    }
  }
  return total;
}

protocol::Json Stored(const Value& payload, std::optional<int64_t> total) {
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

// A thread of a leg is about that leg.
void CheckLeg(const Value& payload, const protocol::Thread& thread, Checker* checker) {
  const Value* leg = payload.as_map() ? Member(payload, "legId") : nullptr;
  if (leg && thread.leg_id && leg->as_text() && *leg->as_text() != thread.leg_id->value)
    checker->Say("legId", "is not the thread's leg");
}

Error Invalid(Wrong wrong) {
  Error error(ErrorCode::kCardInvalid, "the payload does not fit the card");
  error.fields = std::move(wrong);
  return error;
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
    return Error(ErrorCode::kTooLarge, std::string(name) + " is larger than a card's may be");
  Document document;
  const char* fault =
      protocol::DecodeMsgpack(data.msgpack, {kMaxPayloadBytes, kMaxOpenDepth, kMaxOpenValues}, &document);
  if (!fault) return protocol::Ok();
  return Invalid({{std::string(name), fault}});
}

protocol::Result<CheckedPayload> CheckPayload(const CardKind* kind, const protocol::Thread& thread,
                                              const protocol::Json& payload) {
  if (payload.msgpack.size() > kMaxPayloadBytes)
    return Error(ErrorCode::kTooLarge, "the payload is larger than a card's may be");
  if (!kind) PARLEY_CHECK_OK(CheckOpenData("payload", payload));
  Document document;
  if (!Decode(payload, &document)) return Error::BadField("payload", "can not be read");
  const Value& root = document.root;
  Checker checker;
  checker.CheckMap(root, kind ? *kind->payload : schemas::kAny, &schemas::kIds, "");
  CheckLeg(root, thread, &checker);
  if (checker.wrong.empty() && kind) {
    CheckTimes(root, &checker);
    if (TotalOf(*kind, root).value_or(0) > kTotalMax) checker.Say("items", "come to more than is allowed");
  }
  if (!checker.wrong.empty()) return Invalid(std::move(checker.wrong));
  CheckedPayload out;
  out.json = Stored(root, kind ? TotalOf(*kind, root) : std::nullopt);
  if (!kind) return out;
  if (kind->type == kShareLocation) out.until = TimeOf(&root, "until");
  if (const Value* most = Member(root, "maxRevisions")) out.max_revisions = *most->as_int();
  if (const Value* ref = Member(root, "manifestRef")) out.manifest = *ref->as_text();
  if (const Value* id = Member(root, "deliverableId"))
    out.deliverable = protocol::MessageId::FromText(*id->as_text());
  if (const Value* version = Member(root, "version")) out.version = *version->as_int();
  return out;
}

protocol::Result<std::optional<std::string>> CheckNote(const std::optional<protocol::Json>& data) {
  if (!data) return std::optional<std::string>();
  Document document;
  if (!Decode(*data, &document)) return Error::BadField("data", "can not be read");
  Checker checker;
  checker.CheckMap(document.root, schemas::kNote, nullptr, "");
  if (!checker.wrong.empty()) return Invalid(std::move(checker.wrong));
  const Value* note = Member(document.root, "note");
  return note ? std::optional(std::string(*note->as_text())) : std::nullopt;
}

protocol::Json ShownPayload(std::string_view type, const protocol::Json& payload) {
  return type == kShareLocation ? OnlyUntil(payload) : payload;
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
