// The tabs of the panel, as data: what each may contain, who writes it, and its special rules. To add a tab,
// add its name (protocol::TabName) and a line in tab_specs.cc.
#pragma once

#include <string>
#include <vector>

#include "threads/model/row_reader.h"
#include "threads/model/schema.h"

namespace parley::threads {

// Who writes a version of a tab, and which parts of the old one they were shown.
struct TabWriter {
  std::optional<UserId> user;  // none: a service that does not act as a user
  int64_t band_max = 0;        // sees pins up to here
  protocol::Time now;
};

enum class TabAuthor : uint8_t {
  kMembers,    // those who may write in the thread
  kDelivered,  // the same, and services that do not act as a user
  kServices,
  kNobody,  // it follows from other rows
};

struct TabSpec {
  protocol::TabName tab;
  const Schema* content;
  TabAuthor author = TabAuthor::kMembers;
  // What is stored for what was given; null: stored unchanged.
  Result<protocol::Json> (*finish)(const protocol::Json& given, const protocol::Value& content,
                                   const protocol::Value& before, const TabWriter& writer) = nullptr;
  // Whether the old content may be replaced by the new.
  protocol::Status (*check)(const protocol::Value& before, const protocol::Value& after,
                            bool may_deliver) = nullptr;
  // System messages that report outcomes. What they quote is plain text on one line, cut short, so that
  // nobody can speak with the server's voice through a file's name.
  std::vector<std::string> (*outcomes)(const protocol::Value& before, const protocol::Value& after) = nullptr;
  // What the thread itself shows of it.
  void (*summarise)(const protocol::Value& content, protocol::Thread* thread) = nullptr;
};

const TabSpec& SpecOf(protocol::TabName tab);

}  // namespace parley::threads
