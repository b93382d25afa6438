// Pins of the moodboard as a viewer may see them. A pin over his band comes without what leads to its picture
// (assetRef, url) and with `withheld`; sent back so, it keeps what is stored. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "threads/model/access.h"

namespace parley::threads {

// What every viewer may see; what reaches all of them alike, such as an event, holds no more.
inline constexpr int64_t kCarefulBand = 1;
inline constexpr int64_t kHighestBand = 2;

// Up to which band the caller sees pins of the thread: all of them staff and services that act for nobody,
// and an adult who wished so where the thread does not require Safe-Mode.
int64_t BandMaxOf(const Caller& caller, const protocol::Thread& thread);

// The tab as a viewer up to that band sees it; other tabs than the moodboard are returned as they are.
protocol::Tab ShownTab(protocol::Tab tab, int64_t band_max);
// The same for its wire bytes.
std::string ShownTabWire(std::string_view wire, int64_t band_max);

// A moodboard given by somebody who sees up to `band_max`, with what was withheld from him put back from
// `before`. BAD_REQUEST for a pin that says it is withheld and is not there, or brings another picture.
protocol::Result<protocol::Json> WithWithheld(const protocol::Value& before, const protocol::Json& given,
                                              const protocol::Value& content, int64_t band_max);

}  // namespace parley::threads
