#include "features/all.h"

#include <utility>

#include "features/broadcast/feature.h"
#include "features/events/feature.h"
#include "features/files/feature.h"
#include "features/invites/feature.h"
#include "features/moderation/feature.h"
#include "features/people/feature.h"
#include "features/requests/feature.h"
#include "features/text_policy/feature.h"

namespace parley::features {

std::span<const Feature* const> AllFeatures() {
  static const Feature* const features[] = {
      &InviteFeature(),  &EventFeature(),     &ModerationFeature(), &PeopleFeature(),
      &RequestFeature(), &BroadcastFeature(), &TextPolicyFeature(), &FileFeature(),
  };
  return features;
}

std::unique_ptr<const threads::People> MakePeople(const CheckParts& parts) {
  for (const Feature* feature : AllFeatures()) {
    if (feature->people) return feature->people(parts);
  }
  return nullptr;
}

std::vector<threads::Retention> AllRetentions() {
  std::vector<threads::Retention> of_features;
  for (const Feature* feature : AllFeatures())
    of_features.insert(of_features.end(), feature->retention.begin(), feature->retention.end());
  return threads::WithCore(std::move(of_features));
}

storage::Status VerifyStore(const storage::Table& table, protocol::Time now,
                            const std::function<void(const std::string&)>& differs,
                            fanout::VerifyReport* report) {
  std::vector<fanout::MakeFacts> facts;
  for (const Feature* feature : AllFeatures())
    facts.insert(facts.end(), feature->facts.begin(), feature->facts.end());
  return fanout::VerifyStore(table, now, facts, differs, report);
}

}  // namespace parley::features
