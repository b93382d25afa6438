// Shows stored items as one viewer may see them: cards at the time of the read, pins up to the viewer's band.
#pragma once

#include <string>
#include <string_view>

#include "threads/model/access.h"

namespace parley::threads {

struct View {
  protocol::Time now;
  int64_t band_max = 0;  // highest band of pins, see model/pins.h
};
View ViewOf(const Caller& caller, const protocol::Thread& thread, protocol::Time now);

// The wire bytes of an item of kind `kind` as the viewer sees it.
std::string WireAsSeen(protocol::EventKind kind, std::string_view wire, const View& view);

}  // namespace parley::threads
