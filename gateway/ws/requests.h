// Carries out a session's requests: the session's own ops here, all others through the router.
#pragma once

#include "gateway/ws/ws_request.h"

namespace parley::gateway {

struct SessionPieces;

// Each request is finished or settled (Inbound), now or later. REQUIRES: the request was admitted.
void HandleRequest(SessionPieces& session, WsRequest request);

}  // namespace parley::gateway
