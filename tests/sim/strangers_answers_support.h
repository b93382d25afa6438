// The meaning of answers to strangers, and the marks of their texts.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "tests/sim/stranger_support.h"

namespace parley::sim {

inline constexpr std::string_view kTextMark = "~p";

inline std::string Quoted(const std::string& plain) {
  return '"' + plain + '"';
}

// The outcome is unknown.
inline bool IsUnknown(const std::string& code) {
  return code.empty() || code == "UNAVAILABLE";
}

// The clock was set and the token is no longer valid: nothing happened.
inline bool IsUnheard(const std::string& code) {
  return code == "UNAUTHENTICATED" || code == "AUTH_EXPIRED";
}

// An earlier attempt created the inquiry of the role. Its answer was lost, and its key was forgotten since.
inline bool WasMadeBefore(const Errand& errand, const std::string& code) {
  return errand.lost > 0 && code == "ALREADY_EXISTS";
}

inline bool IsRefusal(const std::string& code) {
  static const std::set<std::string> kRefusals = {"MSG_GATE_REQUIRED", "MSG_BLOCKED_BY_USER",
                                                  "CREDITS_EXHAUSTED"};
  return kRefusals.contains(code);
}

}  // namespace parley::sim
