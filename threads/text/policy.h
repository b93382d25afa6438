// A text policy that is ready to search texts for its pattern sets. Immutable; made once per tenant's
// settings, not per message.
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
  uint32_t set = 0;             // index into Policy::sets()
  uint32_t begin = 0, end = 0;  // bytes
  friend bool operator==(const Finding&, const Finding&) = default;
};

struct Scan {
  std::vector<Finding> findings;  // sorted by place
  bool has_link = false;
  bool complete = true;  // false: the search reached its limit of steps and may have missed findings
  size_t steps = 0;      // the cost of the search, in readings of a place
};

class Policy {
 public:
  using Sets = std::vector<protocol::PatternSet>;
  // BAD_REQUEST, naming `sets.N.…`, for a term or a host that cannot be searched for, or a repeated name.
  static protocol::Result<std::shared_ptr<const Policy>> Make(Sets sets);

  // The maximum number of steps per byte of a text, whatever sets a tenant has; the server's own sets stay
  // below half of it.
  static constexpr size_t kStepsPerByte = 96, kStepsMin = 8192;

  const Sets& sets() const { return sets_; }
  size_t bytes() const;  // approximate memory
  int64_t ScoreOf(uint32_t set) const;
  Scan Find(std::string_view text) const;

 private:
  Policy() = default;
  // Returns the first set that lists the host or a domain above it.
  std::optional<uint32_t> SetOfHost(std::string_view host) const;
  Sets sets_;
  Terms terms_;                                         // with exceptions, whose tag is kHarmless
  std::map<std::string, uint32_t, std::less<>> hosts_;  // set by domain
  bool has_form_[3] = {};
};
using PolicyPtr = std::shared_ptr<const Policy>;

// The server's own sets (data/*.json).
const Policy::Sets& DefaultSets();
const PolicyPtr& DefaultPolicy();
// The default sets, with sets of the same name replaced and the others added.
Policy::Sets WithDefaults(Policy::Sets own);

// Replaces the findings in the text by kRemoved.
inline constexpr std::string_view kRemoved = "[removed]";
std::string Redact(std::string_view text, const std::vector<Finding>& findings);

}  // namespace parley::threads::text
