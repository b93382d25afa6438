// The tabs of the panel as data: the content that each may have, its writers, and its special rules. To add a
// tab, add its name (protocol::TabName) and a line in tab_specs.cc.
#pragma once

#include <string>
#include <vector>

#include "threads/model/row_reader.h"
#include "threads/model/schema.h"

namespace parley::threads {

// The writer of a version of a tab, and the parts of the old version that they may see.
struct TabWriter {
  std::optional<UserId> user;  // null: a service that does not act as a user
  int64_t band_max = 0;        // highest band of pins that they see
  protocol::Time now;
};

enum class TabAuthor : uint8_t {
  kMembers,    // members who may write in the thread
  kDelivered,  // likewise, and services that do not act as a user
  kServices,
  kNobody,  // derived from other rows
};

struct TabSpec {
  protocol::TabName tab;
  const Schema* content;
  TabAuthor author = TabAuthor::kMembers;
  // Returns the content to store for the given one; nullptr: stored unchanged.
  Result<protocol::Json> (*finish)(const protocol::Json& given, const protocol::Value& content,
                                   const protocol::Value& before, const TabWriter& writer) = nullptr;
  // Checks whether the new content may replace the old.
  protocol::Status (*check)(const protocol::Value& before, const protocol::Value& after,
                            bool may_deliver) = nullptr;
  // Returns system messages that report outcomes. They quote texts as plain text on one line, cut short, so
  // that no file name can imitate the server.
  std::vector<std::string> (*outcomes)(const protocol::Value& before, const protocol::Value& after) = nullptr;
  // Updates the fields of the thread that summarise the tab.
  void (*summarise)(const protocol::Value& content, protocol::Thread* thread) = nullptr;
};

const TabSpec& SpecOf(protocol::TabName tab);

}  // namespace parley::threads
