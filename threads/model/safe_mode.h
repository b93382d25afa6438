// Safe-Mode: the highest band of pictures that a viewer sees clearly, of pins and of files alike.
//
// Pure; any thread.
#pragma once

#include <cstdint>

#include "threads/model/caller.h"

namespace parley::threads {

// 0 safe, 1 suggestive, 2 mature.
inline constexpr int64_t kSafeBand = 0;
inline constexpr int64_t kCarefulBand = 1;
inline constexpr int64_t kHighestBand = 2;

// The band that all members of a thread may see: events, and anything else that they receive alike, stop
// there.
constexpr int64_t SharedBandMax(bool safe_mode_required) {
  return safe_mode_required ? kSafeBand : kCarefulBand;
}

// The caller's band: every band for staff and for services that do not act as a user. For an adult who
// switched Safe-Mode off every band, too, unless the thread requires it.
inline int64_t BandMaxOf(const Caller& caller, bool safe_mode_required) {
  if (caller.is_staff() || (caller.is_service() && !caller.user)) return kHighestBand;
  return caller.mature && !safe_mode_required ? kHighestBand : SharedBandMax(safe_mode_required);
}

}  // namespace parley::threads
