// The charges for the limited acts of commands. A charge is a question to the checks (checks.h): those of the
// limits that apply to it take it or reject it.
//
// Thread contract: any executor's thread; a Taken belongs to the executor that received it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/table.h"
#include "threads/model/caller.h"
#include "threads/model/rows.h"

namespace parley::threads {

// A charge for a command. Its destructor gives it back unless `Stand` was called.
class Taken {
 public:
  virtual ~Taken() = default;
  // The command is decided: returns the rows that belong in the same commit. The object lives until they are
  // on disk.
  virtual std::vector<storage::CommitRequest> Stand() = 0;
};

// A limited act of a command, with its author. Rejected with RATE_LIMITED and retryAfterMs, or with
// CREDITS_EXHAUSTED.
struct Charge {
  using Answer = std::vector<std::unique_ptr<Taken>>;  // empty if no limit applies
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

}  // namespace parley::threads
