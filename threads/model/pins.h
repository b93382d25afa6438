// Shows pins of the moodboard as a viewer may see them. A pin above the viewer's band comes without the
// fields that lead to its picture (assetRef, url) and with `withheld`; if a client sends it back in that
// form, it keeps the stored fields. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "threads/model/access.h"
#include "threads/model/safe_mode.h"

namespace parley::threads {

inline int64_t BandMaxOf(const Caller& caller, const protocol::Thread& thread) {
  return BandMaxOf(caller, thread.safe_mode_required);
}

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
