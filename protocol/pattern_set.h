// The patterns of a text policy, as data: the server's own sets (threads/text/data/) and the sets with which
// a tenant replaces them have this form.
#pragma once

#include "protocol/schema.h"

namespace parley::protocol {

// block: rejects the text. redact: replaces the match in the text that others get. nudge: delivers the text,
// with a hint to the author.
enum class PolicyAction : uint8_t { kBlock, kRedact, kNudge };
// Things that are recognised by their form instead of by words.
enum class PolicyForm : uint8_t { kPhone, kEmail, kStreet };

struct PatternSet {
  static constexpr size_t kTermsMax = 400;
  using Terms = Omit<List<Text<64>, kTermsMax>>;

  Text<40> name;
  PolicyAction action = PolicyAction::kNudge;
  Text<200> hint;
  Omit<Bounded<0, 10>> score;
  Omit<bool> until_booking;
  Terms terms, exceptions, hosts;
  Omit<List<PolicyForm, 8>> forms;

  static constexpr void Fields(auto& field) {
    using T = PatternSet;
    field("name", &T::name, "its name in policy hints");
    field("action", &T::action, "block, redact or nudge");
    field("hint", &T::hint, "for the author: which rule this is");
    field("score", &T::score,
          "the points that a match adds to the author's strikes; block 3, redact and nudge 1 by default");
    field("untilBooking", &T::until_booking, "true: only while the thread has no booking");
    field("terms", &T::terms, "words and phrases, of letters, digits and blanks; found disguised, too");
    field("exceptions", &T::exceptions, "phrases in which a term is harmless");
    field("hosts", &T::hosts, "domains of links, their subdomains included");
    field("forms", &T::forms, "phone, email, street: found by their form");
  }
};

}  // namespace parley::protocol

template <>
struct parley::protocol::EnumNames<parley::protocol::PolicyAction> {
  static constexpr std::string_view kNames[] = {"block", "redact", "nudge"};
};
template <>
struct parley::protocol::EnumNames<parley::protocol::PolicyForm> {
  static constexpr std::string_view kNames[] = {"phone", "email", "street"};
};
