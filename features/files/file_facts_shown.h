// Finds in a thread's rows what shows uploads: messages, cards and tabs. For verify only.
//
// Pure; any thread.
#pragma once

#include <map>
#include <set>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::features::facts {

// A place that shows an upload: "msg_…" (a message), "card msg_…" or "tab moodboard".
struct ShownFile {
  std::string place;
  const protocol::Value* copy = nullptr;
};
// By attachmentId. The copies point into `facts`.
std::multimap<std::string, ShownFile> ShownIn(const fanout::ThreadFacts& facts);

// The places that the row of an upload names.
std::set<std::string> PlacesOf(const protocol::Value& row);

}  // namespace parley::features::facts
