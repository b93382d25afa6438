#include "fanout/verify/reaction_facts.h"

#include <map>
#include <set>
#include <utility>

namespace parley::fanout {
namespace {

using protocol::Value;
using Users = std::set<std::string>;

std::string TextOf(const Value* value) {
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}

// Adds the users that the message lists. Returns false if a user occurs twice.
bool AddListed(const Value& reaction, Users* users) {
  const Value* list = reaction.Find("userIds");
  if (!list || !list->as_array()) return false;
  bool once = true;
  for (const Value& user : *list->as_array()) once &= users->insert(TextOf(&user)).second;
  return once;
}

}  // namespace

void CheckReactions(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs) {
  std::map<std::pair<std::string, std::string>, Users> rows;  // by message and emoji
  for (const RawReaction& row : facts.reactions)
    rows[{row.message.ToText(), row.emoji.text()}].insert(row.user.ToText());
  for (const RawItem* message : facts.messages) {
    const std::string id = message->Text("messageId");
    const Value* all = message->wire.root.Find("reactions");
    if (!all || !all->as_array()) continue;
    for (const Value& reaction : *all->as_array()) {
      const std::string emoji = TextOf(reaction.Find("emoji")), name = id + ": reaction " + emoji;
      Users users;
      if (!AddListed(reaction, &users)) differs(name + ": a user is listed twice");
      if (users.empty()) differs(name + ": lists no users");
      if (const auto more = rows.extract({id, emoji}); !more.empty()) {
        for (const std::string& user : more.mapped()) {
          if (!users.insert(user).second) differs(name + ": " + user + " is listed and has a REACT# row");
        }
      }
      const Value* count = reaction.Find("count");
      const auto said = count && count->as_int() ? *count->as_int() : static_cast<int64_t>(users.size());
      if (said != static_cast<int64_t>(users.size()))
        differs(name + ": counts " + std::to_string(said) + " users, but has " +
                std::to_string(users.size()));
    }
  }
  for (const auto& [key, users] : rows)
    differs(key.first + ": has REACT# rows of " + key.second + ", but no such reaction");
}

}  // namespace parley::fanout
