// The audit's facts about one act of staff, or one read by staff: states and hashes, never message
// bodies.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/base/ids.h"
#include "protocol/schema.h"

namespace parley::protocol {

// The op that reads the tenant's audit; threads record its use by members, too.
inline constexpr std::string_view kAuditOp = "moderation.audit";

// The states of a subject before or after an act: texts by name, ascending by name.
using AuditStates = Dictionary<std::string>;

// Longer reasons are cut, so that the size of the record never causes an act to be rejected.
inline constexpr size_t kAuditReasonBytes = 1000;
inline constexpr size_t kAuditStatesMax = 16;  // names, before and after each
inline constexpr size_t kAuditNameBytes = 64;  // the longest name of an action, a role, a case or a state
inline constexpr size_t kAuditStateBytes = 256;

// Fields are in alphabetical order, so that the JSON of the encoding is the canonical form (RFC 8785) that an
// entry's hash covers.
struct AuditFacts {
  std::string action;           // "thread.setStatus", "look.message.list"
  std::optional<UserId> actor;  // nullopt: a tenant key or the operator of the server
  std::string actor_role;
  std::optional<AuditStates> after;
  Time at;
  AuditId audit_id;
  std::optional<AuditStates> before;
  std::optional<std::string> case_id;
  std::optional<MessageId> message_id;
  std::string reason;  // may be empty
  int64_t seq = 0;     // its number in the chain, from 1; 0 until it is appended
  std::optional<ThreadId> thread_id;
  std::optional<UserId> user_id;

  static constexpr void Fields(auto& field) {
    using T = AuditFacts;
    field("action", &T::action, "the action: an op, or `look.` and the op that read");
    field("actor", &T::actor, "the actor; null: a tenant key, or the operator");
    field("actorRole", &T::actor_role, "admin, support, moderator, service, operator");
    field("after", &T::after, "states and hashes by name, after it");
    field("at", &T::at, "time of the act");
    field("auditId", &T::audit_id, "its id");
    field("before", &T::before, "states and hashes by name, before it");
    field("caseId", &T::case_id, "the case that it is about, or that let staff in");
    field("messageId", &T::message_id, "the message that it is about");
    field("reason", &T::reason, "the reason that staff gave; empty for a look");
    field("seq", &T::seq, "its number in the tenant's chain, from 1");
    field("threadId", &T::thread_id, "the thread that it is about");
    field("userId", &T::user_id, "the user that it is about");
  }
};

// An entry of a tenant's chain.
struct ChainEntry : AuditFacts {
  std::string prev_hash;  // hexadecimal; of the first entry: kNoHash
  std::string hash;       // SHA-256 over prevHash's text and the facts' canonical JSON

  static constexpr void Fields(auto& field) {
    AuditFacts::Fields(field);
    field("prevHash", &ChainEntry::prev_hash, "the hash of the entry before it; 64 zeros for the first");
    field("hash", &ChainEntry::hash,
          "SHA-256, hexadecimal, over prevHash and this entry's canonical JSON (RFC 8785) without prevHash "
          "and hash");
  }
};
inline constexpr std::string_view kNoHash =
    "0000000000000000000000000000000000000000000000000000000000000000";

AuditStates StatesOf(std::initializer_list<std::pair<std::string_view, std::string_view>> states);
// "sha256:" and hexadecimal digits: identifies a body that the audit must not store.
std::string AuditHash(std::string_view body);
// Sorts the states by name and cuts texts that are too long, between characters.
void BoundFacts(AuditFacts* facts);
std::string CanonicalJson(const AuditFacts& facts);

}  // namespace parley::protocol
