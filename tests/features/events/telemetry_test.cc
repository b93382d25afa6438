// Tests that every telemetry name has a place that reports it.
#include "features/events/telemetry.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/features/events/relay_scene.h"
#include "tests/repository.h"

namespace parley::features {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The rows of all events that follow: their types, each with its names.
class TelemetryTest : public testing::Test {
 protected:
  TelemetryTest() {
    EXPECT_EQ(scene_.Do("buyer thread.create kind=project"), "ok");
    Take();
  }
  std::vector<std::string> Take() {
    scene_.Settle();
    std::vector<std::string> out;
    for (const Event& event : scene_.Events()) {
      if (!seen_.insert(event.event_id).second) continue;
      std::string line = event.type;
      const auto* names = event.payload.Find("telemetry");
      if (names) {
        for (const auto& name : *names->As<storage::List>()) line += " " + *name.text();
      }
      out.push_back(std::move(line));
    }
    return out;
  }
  std::vector<std::string> Reported(const std::string& line) {
    const std::string said = scene_.Do(line);
    EXPECT_EQ(said.substr(0, 2), "ok") << line << ": " << said;
    return Take();
  }

  RelayScene scene_{kAllEvents};
  std::set<std::string> seen_;
};

TEST_F(TelemetryTest, a_message_has_no_name_beside_its_event) {
  EXPECT_THAT(Reported("buyer message.send body=a"), ElementsAre("message.created"));
}

TEST_F(TelemetryTest, a_card_has_a_name_when_created_and_one_for_each_outcome) {
  const auto made = Reported("buyer card.create type=CANCEL_REQUEST");
  EXPECT_THAT(made, testing::Contains("card.updated action.create cancel.requested card.send"));
}

TEST_F(TelemetryTest, a_tabs_name_depends_on_the_tab) {
  const auto put = Reported(R"(buyer tab.put tab=moodboard version=0 content={"pins":[]})");
  EXPECT_THAT(put, testing::Contains("tab.updated panel.moodboard.pin"));
}

TEST(Telemetry, names_follow_from_the_item) {
  using protocol::EventKind;
  const auto reported = [](const std::string& type, const std::string& state, int64_t version,
                           const std::string& intent) {
    storage::Item card{{"type", type}, {"state", state}, {"lastIntent", intent}};
    card.Set("version", storage::AttributeValue::OfInt(version));
    return TelemetryOf(EventKind::kCardUpdated, card);
  };
  EXPECT_THAT(reported("DISPUTE_OPEN", "OPEN", 1, ""),
              ElementsAre("action.create", "dispute.opened", "card.send"));
  EXPECT_THAT(reported("DEPOSIT_CLAIM_OPEN", "DENIED", 2, "deny"),
              ElementsAre("action.state_change", "deposit.claim.denied", "card.decline"));
  EXPECT_THAT(reported("DELIVERABLE_FINAL", "ACCEPTED", 3, "acknowledge"),
              ElementsAre("action.state_change", "deliverable.approved", "card.accept"));
  EXPECT_THAT(TelemetryOf(EventKind::kThreadUpdated, {}), IsEmpty());
}

TEST(Telemetry, in_docs_is_the_table_printed) {
  EXPECT_EQ(tests::RepositoryText("docs/telemetry.md"), TelemetryManual())
      << "regenerate: parleyd --telemetry > docs/telemetry.md";
}

}  // namespace
}  // namespace parley::features
