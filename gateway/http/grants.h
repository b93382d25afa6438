// Shares code between the routes of permissions and of invitations: resource names, the actor, and pages.
//
// Thread contract: the I/O thread's loop.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "accounts/permissions/resource.h"
#include "gateway/http/pages.h"
#include "gateway/http/route.h"

namespace parley::gateway {

// Names a resource: "tenant", "threads/{threadId}", or "type/id" of the tenant's own. Binding checks the
// form.
struct ResourceName {
  static constexpr std::string_view kSchemaPattern = "^(tenant|[A-Za-z0-9_.:-]{1,64}/[A-Za-z0-9_.:-]{1,64})$";
  std::string text;
};
const char* Read(const protocol::Value& value, ResourceName* out);

// Returns nullopt if the resource is not a thread.
std::optional<protocol::ThreadId> ThreadOf(const ResourceName& name);

accounts::Actor ActorOf(const Call& call);

// Converts a page of records to a page of a list, with a sealed cursor.
template <class Found, class T>
std::function<void(protocol::Result<Found>)> ToPage(const Call& call, std::string list,
                                                    Answering<Page<T>> then) {
  return [call, list = std::move(list), then = std::move(then)](protocol::Result<Found> found) {
    if (!found.ok()) return then(std::move(found.error()));
    Page<T> page;
    if (found->next) page.cursor = CursorAt(call, list, *found->next);
    page.items.items = std::move(found->items);
    then(std::move(page));
  };
}

}  // namespace parley::gateway
