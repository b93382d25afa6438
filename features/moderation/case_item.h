// Converts a case between its item of the table moderation-cases and its wire form. Attributes that lists and
// rules use are separate; the rest is a map as JSON.
//
// Pure, any thread.
#pragma once

#include <string>

#include "accounts/records/records.h"
#include "features/moderation/shown_case.h"
#include "protocol/states.h"

namespace parley::features {

inline constexpr std::string_view kCasesTable = "moderation-cases";

// Decided effects that are not yet carried out in a thread, in order. `number` counts all effects of the
// case; the thread recognises a repeat by it.
enum class CaseEffectKind : uint8_t {
  kFlag,
  kUnflag,
  kRedact,
  kLock,
  kRevoke,
  kHold,
  kRelease,
  kOpenCard,  // a stop by the text policy: opens the SAFETY card
  kEndStop,   // ends the stop, and resolves that card
};
struct CaseEffect {
  CaseEffectKind kind = CaseEffectKind::kFlag;
  int64_t number = 0;
  protocol::ThreadId thread_id;
  std::optional<protocol::MessageId> message_id;
  std::optional<protocol::UserId> by;      // the decider; none: a report, or the text policy
  protocol::Omit<protocol::UserId> about;  // kOpenCard and kEndStop: the stopped author
  protocol::Text<16> by_role;
  protocol::Text<2000> reason;
  protocol::Omit<bool> illegal;  // kRedact: the files of the message are condemned
  static constexpr void Fields(auto& field) {
    using T = CaseEffect;
    field("kind", &T::kind, "");
    field("number", &T::number, "");
    field("threadId", &T::thread_id, "");
    field("messageId", &T::message_id, "");
    field("by", &T::by, "");
    field("about", &T::about, "");
    field("byRole", &T::by_role, "");
    field("reason", &T::reason, "");
    field("illegal", &T::illegal, "");
  }
};
inline constexpr size_t kMaxCaseEffects = 64;

// A mute by one person in a case that needs two: it holds until the case is decided. It keeps the user's
// previous sanction, which is then restored.
struct HeldSanction {
  protocol::UserId user;
  protocol::UserId by;  // author of the mute
  protocol::Time at;
  protocol::UserState state = protocol::UserState::kOk;
  std::optional<protocol::Time> until;
  std::string reason;
  std::string state_by;
  std::optional<protocol::Time> state_at;
  static constexpr void Fields(auto& field) {
    using T = HeldSanction;
    field("user", &T::user, "");
    field("by", &T::by, "");
    field("at", &T::at, "");
    field("state", &T::state, "");
    field("until", &T::until, "");
    field("reason", &T::reason, "");
    field("stateBy", &T::state_by, "");
    field("stateAt", &T::state_at, "");
  }
};
inline constexpr size_t kMaxHeld = 20;

// The staff member who decides.
struct Decider {
  protocol::UserId user;
  std::string role;
};

// A case with the parts that only the server needs.
struct CaseRecord {
  Case shown;
  std::string subject;  // its subject, unique among open cases
  std::vector<CaseEffect> effects;
  int64_t effects_made = 0;
  bool gives_access = false;       // it gives access to its thread until its status changes
  std::vector<HeldSanction> held;  // until it is decided, each user once
};

std::string CaseHash(const protocol::CaseId& id);
std::string ReportRange(const protocol::UserId& reporter);
// "1762351927123#case_…": its place in lists.
std::string PlaceInLists(protocol::Time at, const protocol::CaseId& id);
std::optional<protocol::CaseId> CaseOfPlace(std::string_view place);

// `base`: the present item, if any.
storage::Item CaseToItem(const CaseRecord& record, storage::Item base);
// INTERNAL: the item cannot be read.
protocol::Result<CaseRecord> CaseFromItem(const storage::Item& item);

storage::Item ReportToItem(const protocol::CaseId& id, const CaseReport& report);
protocol::Result<CaseReport> ReportFromItem(const storage::Item& item);

// `about`: counts the cases about one user; none: all.
std::string StatsRange(const std::optional<protocol::UserId>& about);
storage::Item StatsToItem(const CaseStats& stats, const std::optional<protocol::UserId>& about,
                          storage::Item base);
protocol::Result<CaseStats> StatsFromItem(const storage::Item& item);
// Adds the case to the counts of its state, or subtracts it.
void CountCase(const Case& one, int64_t change, CaseStats* stats);
CaseStats operator-(CaseStats a, const CaseStats& b);

}  // namespace parley::features

template <>
struct parley::protocol::EnumNames<parley::features::CaseEffectKind> {
  // WARNING: on disk. Never change one.
  static constexpr std::string_view kNames[] = {"flag", "unflag",  "redact",   "lock",   "revoke",
                                                "hold", "release", "openCard", "endStop"};
};
