// Shows a thread's participants as permissions. They are read and changed by the participant ops, under the
// rules of threads, and stored nowhere else.
//
// Thread contract: the I/O thread's loop.
#pragma once

#include <optional>
#include <string>

#include "accounts/permissions/permissions.h"
#include "gateway/http/pages.h"
#include "gateway/http/route.h"

namespace parley::gateway {

// Lists in order of user ids.
struct ThreadListAsk {
  protocol::ThreadId thread;
  std::optional<protocol::PageLimit> limit;
  std::optional<protocol::Text<2048>> cursor;
};
void ListThreadPermissions(const Call& call, const ThreadListAsk& ask,
                           Answering<Page<accounts::Permission>> then);
// Passes nullopt to `then` if the user is no participant.
void FindThreadPermission(const Call& call, const protocol::ThreadId& thread, const protocol::UserId& user,
                          Answering<std::optional<accounts::Permission>> then);

// Sets or raises the permission of a participant, or adds the user as one.
struct ThreadGrant {
  protocol::ThreadId thread;
  protocol::UserId user;
  accounts::Level level = accounts::Level::kRead;
  accounts::LevelMode mode = accounts::LevelMode::kSet;
};
void PutThreadPermission(const Call& call, const ThreadGrant& grant, Answering<accounts::Permission> then);
void RemoveFromThread(const Call& call, const protocol::ThreadId& thread, const protocol::UserId& user,
                      Answering<NoContent> then);

}  // namespace parley::gateway
