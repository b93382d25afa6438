// A text policy, ready for use: its pattern sets, and what they find in a text. Immutable once made; made
// once for a tenant's settings, not for each message.
//
// Linear in the text. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/pattern_set.h"
#include "threads/text/terms.h"

namespace parley::threads::text {

using protocol::PolicyAction;

struct Finding {
  uint32_t set = 0;             // of Policy::sets()
  uint32_t begin = 0, end = 0;  // bytes
  friend bool operator==(const Finding&, const Finding&) = default;
};

struct Scan {
  std::vector<Finding> findings;  // by place
  bool has_link = false;
  bool complete = true;  // false: it took more steps than it may, and something may not have been found
  size_t steps = 0;      // the work that it took, in readings of a place
};

class Policy {
 public:
  using Sets = std::vector<protocol::PatternSet>;
  // BAD_REQUEST, naming `sets.N.…`: a term or a host that cannot be looked for, two sets of one name.
  static protocol::Result<std::shared_ptr<const Policy>> Make(Sets sets);

  // No text takes more steps than this for its bytes, whatever a tenant sets; the server's own sets stay
  // below half of it.
  static constexpr size_t kStepsPerByte = 96, kStepsMin = 8192;

  const Sets& sets() const { return sets_; }
  size_t bytes() const;  // of memory, about
  int64_t ScoreOf(uint32_t set) const;
  Scan Find(std::string_view text) const;

 private:
  Policy() = default;
  // Of the domains of which the host is, the one whose set comes first.
  std::optional<uint32_t> SetOfHost(std::string_view host) const;
  Sets sets_;
  Terms terms_;                                         // exceptions, too: their tag is kHarmless
  std::map<std::string, uint32_t, std::less<>> hosts_;  // set by domain
  bool has_form_[3] = {};
};
using PolicyPtr = std::shared_ptr<const Policy>;

// The server's own (data/*.json).
const Policy::Sets& DefaultSets();
const PolicyPtr& DefaultPolicy();
// The defaults, with those of the same name replaced and the others added.
Policy::Sets WithDefaults(Policy::Sets own);

// The text with what these findings name replaced by kRemoved.
inline constexpr std::string_view kRemoved = "[removed]";
std::string Redact(std::string_view text, const std::vector<Finding>& findings);

}  // namespace parley::threads::text
