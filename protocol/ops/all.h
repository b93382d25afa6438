// Every op: its name, args and reply, and how it may be called. To add an op, add a struct to one of the
// headers included here and its name to AllOps (list.h); without a row the server does not start.
#pragma once

#include "protocol/ops/audit.h"
#include "protocol/ops/blocks.h"
#include "protocol/ops/cards.h"
#include "protocol/ops/clock.h"
#include "protocol/ops/inbox.h"
#include "protocol/ops/lifecycle.h"
#include "protocol/ops/list.h"
#include "protocol/ops/members.h"
#include "protocol/ops/messages.h"
#include "protocol/ops/moderation.h"
#include "protocol/ops/panel.h"
#include "protocol/ops/presence.h"
#include "protocol/ops/requests.h"
#include "protocol/ops/session.h"
#include "protocol/ops/staff.h"
#include "protocol/ops/users.h"

namespace parley::protocol {

template <class F, class... Ops>
void ForEachOp(OpList<Ops...>, F&& f) {
  (f.template operator()<Ops>(), ...);
}

}  // namespace parley::protocol
