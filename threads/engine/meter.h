// What writing costs those who write: the domain says what a command is, and is told whether the author may.
// What a tenant allows is known elsewhere; gateway/ wires the two.
//
// Thread contract: any executor's thread; a Taken belongs to the executor that was given it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "storage/table.h"
#include "threads/model/caller.h"
#include "threads/model/rows.h"

namespace parley::threads {

// What a command does that may be limited. It has an author.
struct Charge {
  enum class Kind : uint8_t {
    kSend,   // a message; `peer`: of a thread of two, the other
    kStart,  // a new thread
    kAdd,    // `peer` is brought into a thread: limited if they are a stranger to the author
    kReach,  // a conversation with a stranger: `cost` in credits; 0: it was paid for, and a freeze holds it
             // up
  };
  Kind kind;
  Caller author;
  std::optional<protocol::UserId> peer;
  int64_t cost = 0;
  std::string text = {};  // the first message of a conversation that the author began
};
// `body`: of a message. Where it is the first in a thread that its author created, it is what that started
// with.
Charge ForSend(const Caller& author, const ThreadRow& head, std::string_view body = {});

// Something that was taken for a command: given back when it goes without having stood.
class Taken {
 public:
  virtual ~Taken() = default;
  // The command is decided: the rows that have to be in the same commit. This lives until they are on disk.
  virtual std::vector<storage::CommitRequest> Stand() = 0;
};

class Meter {
 public:
  // Who asks: what they see (the store, and what they have decided themselves), and which executor they are.
  struct Asker {
    const storage::Reader& reader;
    size_t executor = 0;
    protocol::Time now;
  };
  virtual ~Meter() = default;
  // RATE_LIMITED with retryAfterMs, CREDITS_EXHAUSTED, or what was taken; nothing (nullptr) where there is no
  // limit.
  virtual protocol::Result<std::unique_ptr<Taken>> Take(const Asker& asker, const Charge& charge) = 0;
};

}  // namespace parley::threads
