// The commands participant.add, participant.remove and participant.update.
#pragma once

#include "protocol/ops/members.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

// The input of the commands; for participant.remove, the target may be the caller.
struct ManageLoaded {
  Standing standing;
  std::optional<ParticipantRow> target;              // removed members, too
  protocol::Status known = protocol::Ok();           // why the target cannot be added, if so
  protocol::Status paid = protocol::Ok();            // the charge for adding them
  std::optional<RequestRow> request = {};            // the request to the target, if they are a stranger
  bool asked = false;                                // the caller invited them earlier
  std::optional<protocol::Time> blocked_until = {};  // the mark of a party who returns
};

// The consequences when an owner of a group ceases to be one.
struct Succession {
  bool last_owner = false;
  std::optional<ParticipantRow> heir;  // becomes owner in the same decision; null: no member remains
};

struct AddParticipant {
  using Op = protocol::ParticipantAdd;
  using Loaded = ManageLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// Adds a member and lists them in the draft's head.
void Join(Draft* draft, ParticipantRow row);

struct RemoveParticipant {
  using Op = protocol::ParticipantRemove;
  struct Loaded {
    ManageLoaded manage;
    MembersPtr members;  // before the removal
    Succession succession;
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

struct UpdateParticipant {
  using Op = protocol::ParticipantUpdate;
  struct Loaded {
    ManageLoaded manage;
    bool last_owner = false;  // the target is a group's last owner and would lose that permission
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// A change that never lowers a permission: a member with the same permission or a higher one keeps it.
struct RaiseParticipant {
  using Op = protocol::ParticipantUpdate;
  using Loaded = UpdateParticipant::Loaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
