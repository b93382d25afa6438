#include "features/host/route.h"

#include <utility>

#include "protocol/base/sure.h"

namespace parley::features {

accounts::Actor ActorOf(const Call& call) {
  const threads::Caller& caller = call.who.caller;
  if (call.is_back_end()) return {true, false, caller.user};
  return accounts::Actor::User(protocol::Sure(caller.user), caller.role == threads::Role::kAdmin);
}

protocol::HttpResponse JsonAnswer(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}}, std::move(body)};
}

std::string_view NameOf(Method method) {
  constexpr std::string_view kNames[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
  return kNames[static_cast<size_t>(method)];
}

}  // namespace parley::features
