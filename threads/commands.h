// The commands: one file each. A command has two steps, kept apart so that the second is tested without I/O:
//
//   Load    reads what the decision needs, checks membership (THREAD_NOT_MEMBER), and finds earlier answers
//   Decide  is pure: (what was loaded, caller, args, moment) → Decision | Error
//
// Run() is the two in a row, as the executor calls it. Thread contract: all of it on the executor's thread.
#pragma once

#include "protocol/ops.h"
#include "threads/cards/commands.h"
#include "threads/commands_panel.h"
#include "threads/stage.h"

namespace parley::threads {

struct CreateThread {
  using Op = protocol::ThreadCreate;
  struct Loaded {
    ThreadId thread_id;                        // reserved for it
    std::optional<ThreadRow> existing;         // the thread, when the reservation had led to it already
    std::vector<ParticipantRow> participants;  // of the existing one, as far as its head lists them
    bool user_projects = true;
  };
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

struct UpdateThread {
  using Op = protocol::ThreadUpdate;
  using Loaded = Standing;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

struct PromoteThread {
  using Op = protocol::ThreadPromote;
  struct Loaded {
    Standing standing;
    bool seen = false;  // this eventId was applied before
    CardPorts ports = 0;
  };
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

struct SetThreadStatus {
  using Op = protocol::ThreadSetStatus;
  using Loaded = Standing;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

// The three that manage another participant (or, for remove, oneself).
struct ManageLoaded {
  Standing standing;
  std::optional<ParticipantRow> target;  // removed ones too
};
struct AddParticipant {
  using Op = protocol::ParticipantAdd;
  using Loaded = ManageLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};
struct RemoveParticipant {
  using Op = protocol::ParticipantRemove;
  struct Loaded {
    ManageLoaded manage;
    MembersPtr members;  // before it
  };
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};
struct UpdateParticipant {
  using Op = protocol::ParticipantUpdate;
  using Loaded = ManageLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

// Personal changes: the caller's own row.
struct OwnLoaded {
  Standing standing;
  Uncounted uncounted;  // above the caller's unread base
};
struct MuteThread {
  using Op = protocol::ParticipantMute;
  using Loaded = OwnLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};
struct SetInboxFlags {
  using Op = protocol::InboxSet;
  using Loaded = OwnLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};
struct MarkRead {
  using Op = protocol::ReadMark;
  struct Loaded {
    OwnLoaded own;
    MessageRow message;
    std::optional<protocol::Time> next;  // when the message after it was made; none: it is the newest
  };
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

struct SendMessage {
  using Op = protocol::MessageSend;
  struct Loaded {
    Standing standing;
    std::optional<IdempotencyRow> earlier;
    bool reply_to_exists = true;
    std::optional<protocol::BroadcastMark> broadcast;  // it is one of several, in each leg thread of an LBG
  };
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(Loaded loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};
struct MessageLoaded {
  Standing standing;
  MessageRow message;
};
struct EditMessage {
  using Op = protocol::MessageEdit;
  using Loaded = MessageLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};
struct DeleteMessage {
  using Op = protocol::MessageDelete;
  using Loaded = MessageLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

template <class... Commands>
struct CommandList {};
using AllCommands = CommandList<CreateThread, UpdateThread, PromoteThread, SetThreadStatus, AddParticipant,
                                RemoveParticipant, UpdateParticipant, MuteThread, SetInboxFlags, MarkRead,
                                SendMessage, EditMessage, DeleteMessage, ReactToMessage, PinMessage, PutTab,
                                ScheduleThread, CreateCard, ActOnCard, ResolveCard, AckOutbox>;

template <class Command>
Result<Decision> Run(Stage& stage, const Caller& caller, const typename Command::Op::Args& args) {
  PARLEY_TRY(loaded, Command::Load(stage, caller, args));
  return Command::Decide(std::move(loaded), caller, args, stage.limits(), stage.moment());
}

}  // namespace parley::threads
