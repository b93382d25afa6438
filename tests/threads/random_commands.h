// Random commands as lines of text, for invariants of all commands.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tests/threads/op_text.h"

namespace parley::threads {

// Commands of every kind on three threads T, T2, T3 between buyer, seller, carol and dan, and on the direct
// threads of their pairs.
class RandomCommands {
 public:
  RandomCommands(const Names& names, uint64_t seed) : names_(names), random_(seed) {}

  std::string Next() {
    thread_ = 1 + Below(3);
    const std::string thread = " threadId=T" + (thread_ == 1 ? "" : std::to_string(thread_));
    const std::string user = Any({"buyer", "seller", "carol", "dan"});
    switch (Below(20)) {
      case 0:
        return user + " message.edit messageId=" + AnyMessage() + " body=e" + Fresh() + thread;
      case 1:
        return user + " message.delete messageId=" + AnyMessage() + thread;
      case 2:
        return user + " read.mark messageId=" + AnyMessage() + thread;
      case 3:
        return "service participant.add userId=" + Any({"carol", "dan"}) + thread;
      case 4:
        return user + " participant.remove userId=" + Any({"carol", "dan"}) + thread;
      case 5:
        return "buyer participant.update userId=" + user + " permission=" + Any({"read", "write"}) + thread;
      case 6:
        return user + " inbox.set archived=" + Any({"true", "false"}) + " pinned=" + Any({"true", "false"}) +
               thread;
      case 7:
        return "service thread.promote legId=G" + std::to_string(Below(3)) + " eventId=e" +
               std::to_string(Below(20)) + thread;
      case 8:
        return user + " participant.mute muted=" + Any({"true", "false"}) + thread;
      case 9:
        return "ann(admin) thread.setStatus reason=r status=" + Any({"open", "open", "open", "locked"}) +
               thread;
      case 10:
        return user + " inbox.set label=" + Any({"null", "Later", "Now"}) + thread;
      case 11:
        return user + " inbox.set snoozedUntil=" + Any({"null", "2030-01-01T00:00:00.000Z"}) +
               Any({"", "", " snoozedUntilEvent=message", " snoozedUntilEvent=card",
                    " snoozedUntilEvent=status"}) +
               thread;
      case 12:
        return user + " message.pin pinned=" + Any({"true", "false"}) + " messageId=" + AnyMessage() + thread;
      case 13:
        return user + " message.react on=" + Any({"true", "false"}) + " emoji=" + Any({"👍", "🎉"}) +
               " messageId=" + AnyMessage() + thread;
      case 14:
        return user + " tab.put tab=brief version=" + std::to_string(Below(4)) +
               " content={\"n\":" + std::to_string(Below(9)) + "}" + thread;
      case 15:
        return user + " tab.put tab=shotlist version=" + std::to_string(Below(4)) +
               " content={\"shots\":[{\"id\":\"1\",\"name\":\"n\",\"status\":\"" + Any({"todo", "done"}) +
               "\"}]}" + thread;
      case 16:
      case 17:
        return user + " thread.create kind=direct with=" + Any({"buyer", "seller", "carol", "dan"}) +
               " firstMessage=d" + Any({" clientId=d1", " clientId=d2", ""});
      default:
        return user +
               " message.send body=b clientId=" + (Below(4) ? Fresh() : "c" + std::to_string(Below(5))) +
               thread;
    }
  }
  size_t Below(size_t n) { return random_() % n; }

 private:
  std::string Any(const std::vector<std::string>& choices) { return choices[Below(choices.size())]; }
  std::string AnyMessage() {
    const std::string name =
        (thread_ == 1 ? "M" : "T" + std::to_string(thread_) + ".M") + std::to_string(1 + Below(9));
    return names_.IdOf(name) == name ? "msg_01h00000000000000000000000" : name;
  }
  std::string Fresh() { return "f" + std::to_string(++fresh_); }

  const Names& names_;
  std::mt19937_64 random_;
  size_t thread_ = 1;
  int fresh_ = 0;
};

}  // namespace parley::threads
