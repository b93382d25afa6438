// Pins of the moodboard as a viewer may see them. A pin above their band comes without what leads to its
// picture (assetRef, url) and with `withheld`; sent back in that form, it keeps what is stored. Pure
// functions.
#pragma once

#include <cstdint>
#include <string>

#include "threads/model/access.h"

namespace parley::threads {

// What every viewer may see; anything that reaches all of them alike, such as an event, goes no higher.
inline constexpr int64_t kCarefulBand = 1;
inline constexpr int64_t kHighestBand = 2;

// The highest band of pins that the caller sees in the thread: all bands for staff, for services that do not
// act as a user, and for an adult who asked for it where the thread does not require Safe-Mode.
int64_t BandMaxOf(const Caller& caller, const protocol::Thread& thread);

// The tab as a viewer up to that band sees it; tabs other than the moodboard are returned unchanged.
protocol::Tab ShownTab(protocol::Tab tab, int64_t band_max);
// The same for its wire bytes.
std::string ShownTabWire(std::string_view wire, int64_t band_max);

// A moodboard given by somebody who sees up to `band_max`, with what was withheld from them restored from
// `before`. BAD_REQUEST for a pin that claims to be withheld and does not exist, or brings another picture.
protocol::Result<protocol::Json> WithWithheld(const protocol::Value& before, const protocol::Json& given,
                                              const protocol::Value& content, int64_t band_max);

}  // namespace parley::threads
