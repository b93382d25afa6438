// An interface that enforces the limits of writing: commands describe what they do, and it accepts or rejects
// that. gateway/ implements it by the tenant's settings.
//
// Thread contract: any executor's thread; a Taken belongs to the executor that received it.
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

// A limited act of a command, with its author.
struct Charge {
  enum class Kind : uint8_t {
    kSend,   // a message; `peer`: the other member, in a thread of two
    kStart,  // a new thread
    kAdd,    // adding `peer`: limited if they are a stranger to the author
    // A conversation with a stranger: `cost` in credits; 0: paid for, but rejected while the credits are
    // frozen.
    kReach,
  };
  Kind kind;
  Caller author;
  std::optional<protocol::UserId> peer;
  int64_t cost = 0;
  std::string text = {};  // the first message of a conversation that the author began
};
// `body`: the message's. If it is the first in a thread that its author created, it counts as the text of
// that start.
Charge ForSend(const Caller& author, const ThreadRow& head, std::string_view body = {});

// A charge for a command. Its destructor gives it back unless `Stand` was called.
class Taken {
 public:
  virtual ~Taken() = default;
  // The command is decided: returns the rows that belong in the same commit. The object lives until they are
  // on disk.
  virtual std::vector<storage::CommitRequest> Stand() = 0;
};

class Meter {
 public:
  // The input of a check: the store including the batch's own decisions, the executor's index, and the time.
  struct Asker {
    const storage::Reader& reader;
    size_t executor = 0;
    protocol::Time now;
  };
  virtual ~Meter() = default;
  // Takes the charge, or returns RATE_LIMITED with retryAfterMs or CREDITS_EXHAUSTED. Returns nullptr if no
  // limit applies.
  virtual protocol::Result<std::unique_ptr<Taken>> Take(const Asker& asker, const Charge& charge) = 0;
};

}  // namespace parley::threads
