// Shows pins of the moodboard as a viewer may see them. A pin above the viewer's band comes without the
// fields that lead to its picture (assetRef, url) and with `withheld`; if a client sends it back in that
// form, it keeps the stored fields. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "threads/model/access.h"

namespace parley::threads {

// The band that every viewer may see; events and anything else that all viewers receive alike stop there.
inline constexpr int64_t kCarefulBand = 1;
inline constexpr int64_t kHighestBand = 2;

// The highest band of pins that the caller sees in the thread: all bands for staff, for services that do not
// act as a user, and for an adult who asked for it if the thread does not require Safe-Mode.
int64_t BandMaxOf(const Caller& caller, const protocol::Thread& thread);

// The tab as a viewer up to that band sees it; tabs other than the moodboard are returned unchanged.
protocol::Tab ShownTab(protocol::Tab tab, int64_t band_max);
// The same for the tab's wire bytes.
std::string ShownTabWire(std::string_view wire, int64_t band_max);

// Restores in a moodboard, given by a caller who sees up to `band_max`, the fields from `before` that were
// withheld from them. BAD_REQUEST for a pin that claims to be withheld and does not exist, or brings another
// picture.
protocol::Result<protocol::Json> WithWithheld(const protocol::Value& before, const protocol::Json& given,
                                              const protocol::Value& content, int64_t band_max);

}  // namespace parley::threads
