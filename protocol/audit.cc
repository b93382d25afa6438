#include "protocol/audit.h"

#include <algorithm>

#include "protocol/base/clusters.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/encode.h"
#include "protocol/writer.h"

namespace parley::protocol {
namespace {

void Cut(size_t bytes, std::string* text) {
  text->resize(FirstBytes(*text, bytes).size());
}

void BoundStates(std::optional<AuditStates>* states) {
  if (!*states) return;
  auto& members = (*states)->members;
  for (auto& [name, text] : members) {
    Cut(kAuditNameBytes, &name);
    Cut(kAuditStateBytes, &text);
  }
  std::stable_sort(members.begin(), members.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  members.erase(std::unique(members.begin(), members.end(), same), members.end());
  if (members.size() > kAuditStatesMax) members.resize(kAuditStatesMax);
}

}  // namespace

AuditStates StatesOf(std::initializer_list<std::pair<std::string_view, std::string_view>> states) {
  AuditStates out;
  for (const auto& [name, text] : states) out.members.emplace_back(name, text);
  return out;
}

std::string AuditHash(std::string_view body) {
  return "sha256:" + Hex(Sha256(body));
}

void BoundFacts(AuditFacts* facts) {
  Cut(kAuditNameBytes, &facts->action);
  Cut(kAuditNameBytes, &facts->actor_role);
  Cut(kAuditReasonBytes, &facts->reason);
  if (facts->case_id) Cut(kAuditNameBytes, &*facts->case_id);
  BoundStates(&facts->before);
  BoundStates(&facts->after);
}

std::string CanonicalJson(const AuditFacts& facts) {
  return MsgpackToJson(Encode(facts));
}

}  // namespace parley::protocol
