#include "features/files/file_facts_shown.h"

#include <utility>

#include "fanout/verify/value_fields.h"
#include "storage/key_tags.h"

namespace parley::features::facts {
namespace {

using fanout::RawItem;
using fanout::TextField;
using protocol::Value;

using ShownFiles = std::multimap<std::string, ShownFile>;

// The payloads that take files; those of other cards are plain data.
constexpr std::pair<const char*, const char*> kFilesOfCards[] = {{"DEPOSIT_CLAIM_OPEN", "evidence"},
                                                                 {"DISPUTE_OPEN", "evidence"},
                                                                 {"ACCEPTANCE_ACK", "attachments"},
                                                                 {"EXPENSE", "receiptImage"}};

void AddShown(const Value& element, const std::string& place, const Value* copy, ShownFiles* out) {
  const std::string id = element.as_map() ? TextField(&element, "attachmentId") : std::string();
  if (!id.empty()) out->emplace(id, ShownFile{place, copy});
}

// An element of a card or a tab has the copy beside the id.
void AddElements(const Value* holder, const char* list, const std::string& place, ShownFiles* out) {
  const Value* elements = holder && holder->as_map() ? holder->Find(list) : nullptr;
  if (!elements) return;
  const auto add = [&](const Value& one) {
    if (one.as_map()) AddShown(one, place, one.Find("attachment"), out);
  };
  if (!elements->as_array()) return add(*elements);
  for (const Value& one : *elements->as_array()) add(one);
}

// The attachments that a message shows, and those that staff withhold.
void AddMessage(const RawItem& message, ShownFiles* out) {
  const Value* withheld = message.hidden.root.Find("withheld");
  for (const Value* holder : {&message.wire.root, withheld}) {
    const Value* list = holder ? holder->Find("attachments") : nullptr;
    if (!list || !list->as_array()) continue;
    for (const Value& one : *list->as_array()) AddShown(one, message.Text("messageId"), &one, out);
  }
}

void AddCard(const RawItem& card, ShownFiles* out) {
  for (const auto& [type, list] : kFilesOfCards) {
    if (card.Text("type") == type)
      AddElements(card.wire.root.Find("payload"), list, "card " + card.Text("messageId"), out);
  }
}

void AddTab(const RawItem& tab, ShownFiles* out) {
  const std::string name = tab.Text("tab");
  const char* list = name == "moodboard" ? "pins" : name == "files" ? "proofs" : nullptr;
  if (list) AddElements(tab.wire.root.Find("content"), list, "tab " + name, out);
}

void AddNames(const Value& row, const char* list, const char* kind, std::set<std::string>* out) {
  const Value* names = row.Find(list);
  if (!names || !names->as_array()) return;
  for (const Value& one : *names->as_array()) {
    if (one.as_text()) out->insert(kind + std::string(*one.as_text()));
  }
}

}  // namespace

ShownFiles ShownIn(const fanout::ThreadFacts& facts) {
  ShownFiles out;
  for (const RawItem* message : facts.messages) AddMessage(*message, &out);
  for (const RawItem* card : facts.cards) AddCard(*card, &out);
  for (const auto& [sort, item] : facts.items) {
    if (!sort.empty() && sort[0] == static_cast<char>(storage::ThreadTag::kTab)) AddTab(item, &out);
  }
  return out;
}

std::set<std::string> PlacesOf(const Value& row) {
  std::set<std::string> out;
  if (const std::string message = TextField(&row, "messageId"); !message.empty()) out.insert(message);
  AddNames(row, "cards", "card ", &out);
  AddNames(row, "tabs", "tab ", &out);
  return out;
}

}  // namespace parley::features::facts
