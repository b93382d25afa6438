// Shared by the op headers: how an op is called, and the args and replies that several ops have in common.
#pragma once

#include "protocol/items.h"

namespace parley::protocol {

// How an op reaches its handler.
enum class OpKind : uint8_t {
  kSession,  // bound to a WebSocket session; rejected over HTTP
  kRead,     // answered from rows
  kWrite,    // a command for the executor
};

struct Empty {
  static constexpr void Fields(auto&) {}
};

struct ThreadIdArgs {
  ThreadId thread_id;
  static constexpr void Fields(auto& field) { field("threadId", &ThreadIdArgs::thread_id, "the thread"); }
};

struct ThreadReply {
  EncodedOf<Thread> thread;
  static constexpr void Fields(auto& field) { field("thread", &ThreadReply::thread, "the thread"); }
};

struct EntryReply {
  EncodedOf<Entry> entry;
  static constexpr void Fields(auto& field) {
    field("entry", &EntryReply::entry, "the caller's inbox entry");
  }
};

struct MessageReply {
  EncodedOf<Message> message;
  static constexpr void Fields(auto& field) { field("message", &MessageReply::message, "the message"); }
};

}  // namespace parley::protocol
