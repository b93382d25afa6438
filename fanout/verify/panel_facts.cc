#include "fanout/verify/panel_facts.h"

#include <algorithm>
#include <set>

namespace parley::fanout {

void CheckPanel(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs) {
  int64_t versions = 0, shots = -1, done = -1;
  for (const auto& [sort, item] : facts.items) {
    if (sort.empty() || sort[0] != static_cast<char>(storage::ThreadTag::kTab)) continue;
    versions += item.Number("version");
    if (item.Text("tab") != "shotlist") continue;
    const protocol::Value* content = item.wire.root.Find("content");
    const protocol::Value* list = content ? content->Find("shots") : nullptr;
    shots = done = 0;
    if (!list || !list->as_array()) continue;
    for (const protocol::Value& shot : *list->as_array()) {
      const protocol::Value* status = shot.Find("status");
      ++shots;
      done += status && status->as_text() && *status->as_text() == "done";
    }
  }
  if (std::max<int64_t>(facts.head->Number("panelVersion"), 0) != versions)
    differs("panelVersion is " + std::to_string(facts.head->Number("panelVersion")) +
            ", but the tabs were changed " + std::to_string(versions) + " times");
  const protocol::Value* progress = facts.head->wire.root.Find("shotlist");
  const auto stored = [&](std::string_view field) -> int64_t {
    const protocol::Value* value = progress ? progress->Find(field) : nullptr;
    return value && value->as_int() ? *value->as_int() : -1;
  };
  if (stored("total") != shots || stored("done") != done)
    differs("the shot list's progress differs from the tab");

  std::multiset<std::string> pinned, listed;
  for (const RawItem* message : facts.messages) {
    if (!message->IsNull("pin")) pinned.insert(message->Text("messageId"));
  }
  const protocol::Value* pins = facts.head->wire.root.Find("pins");
  if (pins && pins->as_array()) {
    for (const protocol::Value& pin : *pins->as_array()) listed.emplace(pin.as_text() ? *pin.as_text() : "");
  }
  if (pinned != listed) differs("pins does not list the pinned messages");
}

}  // namespace parley::fanout
