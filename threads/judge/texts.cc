#include "threads/judge/texts.h"

#include <algorithm>
#include <set>

#include "threads/model/card_kinds.h"
#include "threads/model/file_refs.h"
#include "threads/model/row_reader.h"

namespace parley::threads {
namespace {

using enum TextUse;

// Sorted by op, then by field.
constexpr TextField kFields[] = {
    {"card.act", "data", kShown},
    {"card.act", "intent", kShown},
    {"card.act", "reason", kShown},
    {"card.create", "allowedTransitions.from", kShown},
    {"card.create", "allowedTransitions.intent", kShown},
    {"card.create", "allowedTransitions.toState", kShown},
    {"card.create", "payload", kShown},
    {"card.create", "type", kShown},
    {"card.resolve", "data", kNotPeople},
    {"card.resolve", "effectId", kNotPeople},
    {"card.resolve", "error.code", kNotPeople},
    {"card.resolve", "error.message", kNotPeople},
    {"contact.filterSet", "fields", kShown},
    {"inbox.set", "label", kOwn},
    {"message.delete", "reason", kStaff},
    {"message.edit", "body", kBody},
    {"message.edit", "reason", kStaff},
    {"message.react", "emoji", kWord},
    {"message.report", "notes", kStaff},
    {"message.report", "reason", kStaff},
    {"message.send", "attachments.manifestRef", kShown},
    {"message.send", "attachments.mime", kShown},
    {"message.send", "attachments.s3Key", kNotPeople},
    {"message.send", "body", kBody},
    {"moderation.decide", "notes", kNotPeople},
    {"moderation.file", "reason", kNotPeople},
    {"moderation.message", "reason", kNotPeople},
    {"moderation.resetLadder", "reason", kNotPeople},
    {"moderation.user", "reason", kNotPeople},
    {"outbox.ack", "effectIds", kNotPeople},
    {"tab.put", "content", kShown},
    {"thread.broadcast", "attachments.manifestRef", kShown},
    {"thread.broadcast", "attachments.mime", kShown},
    {"thread.broadcast", "attachments.s3Key", kNotPeople},
    {"thread.broadcast", "body", kBody},
    {"thread.create", "brief", kShown},
    {"thread.create", "city", kShown},
    {"thread.create", "contact", kShown},
    {"thread.create", "firstMessage", kBody},
    {"thread.create", "role", kShown},
    {"thread.create", "subject", kShown},
    {"thread.report", "notes", kStaff},
    {"thread.report", "reason", kStaff},
    {"thread.setStatus", "reason", kNotPeople},
    {"thread.update", "city", kShown},
    {"thread.update", "subject", kShown},
    {"user.report", "notes", kStaff},
    {"user.report", "reason", kStaff},
};

constexpr bool Before(const TextField& a, const TextField& b) {
  return a.op != b.op ? a.op < b.op : a.field < b.field;
}
static_assert(std::is_sorted(std::begin(kFields), std::end(kFields), Before));

// More separators than a phrase, number or address may contain.
constexpr std::string_view kApart = "\n\n\n\n\n\n\n\n";

void AppendStrings(const protocol::Value& value, std::string* out, std::set<std::string>* names) {
  if (const auto* text = value.as_text()) out->append(*text).append(1, '\n');
  if (const auto* array = value.as_array()) {
    for (const protocol::Value& one : *array) AppendStrings(one, out, names);
  }
  if (const auto* map = value.as_map()) {
    for (const auto& [name, member] : *map) {
      names->emplace(name);
      AppendStrings(member, out, names);
    }
  }
}

// Returns false if the map cannot be decoded.
bool AppendStringsIn(const protocol::Json& json, std::string* out, std::string* names) {
  protocol::Document document;
  std::set<std::string> found;
  if (!DecodeStored(json.msgpack, &document)) return false;
  AppendStrings(document.root, out, &found);
  for (const std::string& name : found) names->append(name).append(kApart);
  return true;
}

}  // namespace

std::span<const TextField> TextFields() {
  return kFields;
}

std::optional<TextUse> FindTextUse(std::string_view op, std::string_view field) {
  const TextField key{op, field, kShown};
  const auto* found = std::lower_bound(std::begin(kFields), std::end(kFields), key, Before);
  if (found == std::end(kFields) || found->op != op || found->field != field) return std::nullopt;
  return found->use;
}

namespace texts_internal {

void Collector::Take(TextUse use, std::string_view text) {
  if (use == kBody) out_->body = text;
  if (use == kShown && !text.empty()) out_->others.append(text).append(1, '\n');
}

void Collector::Take(TextUse use, const protocol::Json& json) {
  if (use == kBody || use == kShown) out_->readable &= AppendStringsIn(json, &out_->others, &names_);
}

void Collector::Finish() {
  if (!names_.empty()) out_->others.append(kApart).append(names_);
}

}  // namespace texts_internal

protocol::CardCreate::Args Judgeable(protocol::CardCreate::Args args) {
  args.payload = WithoutFiles(PlacesInCard(args.type.value), args.payload);
  return args;
}
protocol::TabPut::Args Judgeable(protocol::TabPut::Args args) {
  args.content = WithoutFiles(PlacesInTab(args.tab), args.content);
  return args;
}

void ExemptReport(const protocol::CardCreate::Args& args, Texts* out) {
  out->report = args.type.value == kSafety || args.type.value == kDispute;
  if (out->report) out->others.clear();
}

}  // namespace parley::threads
