// The commands that manage another participant; with participant.remove also oneself.
#pragma once

#include "protocol/ops/members.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

// The three that manage another participant (or, for remove, oneself).
struct ManageLoaded {
  Standing standing;
  std::optional<ParticipantRow> target;              // removed ones too
  protocol::Status known = protocol::Ok();           // of who is to be added: why not, if so
  protocol::Status paid = protocol::Ok();            // for bringing them in
  std::optional<RequestRow> request = {};            // they are a stranger, who is asked first
  bool asked = false;                                // they were before
  std::optional<protocol::Time> blocked_until = {};  // the mark of a party who comes back
};

// What it means that an owner of a group stops being one.
struct Succession {
  bool last_owner = false;
  std::optional<ParticipantRow> heir;  // becomes owner in the same decision; none: nobody is left
};

struct AddParticipant {
  using Op = protocol::ParticipantAdd;
  using Loaded = ManageLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// Somebody comes in: the draft's head lists them.
void Join(Draft* draft, ParticipantRow row);

struct RemoveParticipant {
  using Op = protocol::ParticipantRemove;
  struct Loaded {
    ManageLoaded manage;
    MembersPtr members;  // before it
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
    bool last_owner = false;  // of a group, who is to be one no more
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// The same change, but a permission is never lowered by it: whoever may do as much stays as they are.
struct RaiseParticipant {
  using Op = protocol::ParticipantUpdate;
  using Loaded = UpdateParticipant::Loaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
