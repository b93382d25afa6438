#include "tests/sim/bodies_support.h"

#include <algorithm>

#include "tests/sim/value_support.h"

namespace parley::sim {

size_t Bodies::AskEdit(const std::string& message, const std::string& body) {
  auto& edits = messages_[message].edits;
  edits.push_back({body, 0});
  return edits.size() - 1;
}

void Bodies::Edited(const std::string& message, size_t edit, int64_t seq) {
  messages_[message].edits[edit].seq = seq;
}

void Bodies::Deleted(const std::string& message, int64_t seq) {
  int64_t& known = messages_[message].deleted_seq;
  if (known == 0 || seq < known) known = seq;
}

void Bodies::Redacted(const std::string& message, int64_t seq) {
  int64_t& known = messages_[message].redacted_seq;
  if (known == 0 || seq < known) known = seq;
}

void Bodies::Delivered(const protocol::Value& item) {
  Message& message = messages_[Text(item, "messageId")];
  if (const std::string client_id = Text(item, "clientId"); !client_id.empty())
    message.name = Text(item, "authorUserId") + ' ' + client_id;
  const protocol::Value* deleted = item.Find("deletedAt");
  message.copies.insert({Number(item, "seq"), deleted && !deleted->is_null(), Text(item, "body")});
}

// The right text is that of the last edit known to be no later; an unanswered edit may have taken effect at
// any time.
std::string Bodies::WhyWrong(const Message& message, const Copy& copy) const {
  if (copy.deleted) {
    if (!message.delete_asked) return "deleted without a request";
    return copy.body.empty() ? "" : "deleted, with a body";
  }
  if (message.deleted_seq != 0 && message.deleted_seq <= copy.seq) return "shown after it was deleted";
  const bool redacted = copy.body == "[redacted]";
  if (redacted || copy.body == "[withheld]")
    return message.stub_asked ? "" : "shown as a stub without a request";
  if (message.redacted_seq != 0 && message.redacted_seq <= copy.seq) return "shown after it was redacted";
  const auto birth = births_.find(message.name);
  const std::string* known = birth != births_.end() ? &birth->second : nullptr;
  int64_t at = 0;
  for (const Edit& edit : message.edits) {
    if (edit.seq == 0 && edit.body == copy.body) return "";
    if (edit.seq != 0 && edit.seq <= copy.seq && edit.seq > at) {
      at = edit.seq;
      known = &edit.body;
    }
  }
  if (!known) {  // a system text, or a first message: it must at least never change
    const auto shown = [](const Copy& one) { return one.body != "[withheld]" && one.body != "[redacted]"; };
    const Copy& first = *std::find_if(message.copies.begin(), message.copies.end(), shown);
    return first.deleted || first.body == copy.body ? "" : "earlier shown as: " + first.body;
  }
  return *known == copy.body ? "" : "written was: " + *known;
}

size_t Bodies::Judge(std::vector<std::string>* complaints) const {
  size_t judged = 0;
  for (const auto& [id, message] : messages_) {
    for (const Copy& copy : message.copies) {
      ++judged;
      if (const std::string why = WhyWrong(message, copy); !why.empty())
        complaints->push_back("the body of " + id + " at seq " + std::to_string(copy.seq) + " is \"" +
                              copy.body + "\", " + why);
    }
  }
  return judged;
}

}  // namespace parley::sim
