// Commands of project threads beyond messages: the panel's tabs, and marks that members set on messages. Same
// contract as commands.h.
#pragma once

#include "protocol/ops.h"
#include "threads/stage.h"

namespace parley::threads {

struct PutTab {
  using Op = protocol::TabPut;
  struct Loaded {
    Standing standing;
    std::optional<TabRow> tab;  // none: nobody wrote it yet
    protocol::Document content;
  };
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

// Refuses what the tab's schema does not allow, and what is too large or not to be read.
protocol::Status CheckTabContent(protocol::TabName tab, const protocol::Json& content, std::string_view name,
                                 protocol::Document* out);

struct MarkLoaded {
  Standing standing;
  MessageRow message;
};
struct ReactToMessage {
  using Op = protocol::MessageReact;
  using Loaded = MarkLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};
struct PinMessage {
  using Op = protocol::MessagePin;
  using Loaded = MarkLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};
struct ScheduleThread {
  using Op = protocol::ThreadSchedule;
  struct Loaded {
    Standing standing;
    bool met_before = false;  // the two, by this thread or another
  };
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

// Puts a message on the thread's list of pins; false when it holds `most`.
bool AddPin(const MessageId& message, size_t most, protocol::Thread* thread);
// Takes a message off the thread's list of pins.
void RemovePin(const MessageId& message, protocol::Thread* thread);

}  // namespace parley::threads
