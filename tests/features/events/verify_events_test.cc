// Tests that verify finds faults in integration events.
#include <gmock/gmock.h>

#include "features/events/event_facts.h"
#include "protocol/base/varint.h"
#include "storage/engine/item_keys.h"
#include "storage/items/item_codec.h"
#include "tests/features/events/relay_scene.h"
#include "tests/threads/files/file_scene.h"

namespace parley::features::facts {
namespace {

using accounts::Item;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class VerifyEventsTest : public testing::Test {
 protected:
  VerifyEventsTest() {
    scene_.Do("buyer thread.create; buyer message.send body=a; seller message.send body=b");
  }

  std::vector<std::string> Verify() {
    std::vector<std::string> out;
    pending_.clear();
    const storage::Table& table = *scene_.core.table;
    const std::function<void(const std::string&)> differs = [&](const std::string& what) {
      out.push_back(what);
    };
    const auto facts = MakeEventFacts();
    EXPECT_TRUE(facts->ReadPlace(table).ok());
    const auto snapshot = table.NewSnapshot();
    EXPECT_TRUE(facts->FindPending({table, *snapshot, differs}, &pending_).ok());
    return out;
  }
  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort,
             std::optional<storage::Row> row) {
    storage::CommitRequest request;
    request.partition = partition;
    request.writes.push_back({sort, std::move(row)});
    std::vector<storage::CommitResult> results;
    EXPECT_TRUE(scene_.core.table->Commit({&request, 1}, &results).ok());
  }
  void PlantPlace(std::optional<storage::Row> row) {
    Plant(storage::EventRelayRecords(), storage::RecordKey("place"), std::move(row));
  }
  void PlantEvent(const std::string& id, std::optional<Item> item) {
    const auto& def = *accounts::SeedTable("Events");
    const storage::KeyValues key{scene_.tenant.ToText(), storage::AttributeValue(id)};
    Plant(storage::TablePartition(scene_.tenant, def), storage::ItemKey(def, key),
          item ? std::optional(storage::Row{1, storage::EncodeItem(*item)}) : std::nullopt);
  }
  Item Stored(const std::string& id) {
    return *scene_.Reads().Find("Events", scene_.tenant.ToText(), id).value();
  }
  void Delete(const std::string& id) {
    EXPECT_TRUE(scene_
                    .Decide<protocol::Unit>(
                        [&](accounts::RecordTransaction& tx) { return features::DeleteEvent(tx, id); })
                    .ok());
  }

  features::RelayScene scene_{protocol::SetOf(protocol::EventKind::kMessageCreated)};
  std::set<std::pair<protocol::TenantId, protocol::ThreadId>> pending_;
};

TEST_F(VerifyEventsTest, finds_nothing_in_a_sound_store) {
  EXPECT_THAT(Verify(), IsEmpty());
  EXPECT_EQ(pending_.size(), 1u);
  scene_.Settle();
  EXPECT_THAT(Verify(), IsEmpty());
  EXPECT_EQ(pending_.size(), 0u);
  const auto events = scene_.Events();
  Delete(events.at(0).event_id);
  EXPECT_TRUE(scene_
                  .Decide<features::Event>([&](accounts::RecordTransaction& tx) {
                    return features::AckEvent(tx, events.at(1).event_id);
                  })
                  .ok());
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifyEventsTest, knows_the_events_of_files_by_their_changes) {
  scene_.Want(protocol::SetOf(protocol::EventKind::kFileReady));
  threads::FileScene files(scene_.core);
  using enum threads::FileState;
  for (const char* name : {"F1", "F2"}) files.Given("buyer", name, kReady);
  scene_.Settle();
  EXPECT_THAT(Verify(), IsEmpty());
  std::string id;
  for (const auto& event : scene_.Events()) {
    if (Stored(event.event_id).Find("payload")->As<Item>()->Has("attachmentId")) id = event.event_id;
  }
  ASSERT_FALSE(id.empty());
  Item other = Stored(id);
  Item* payload = other.Find("payload")->As<Item>();
  payload->Set("attachmentId", "att_01h00000000000000000000009");
  PlantEvent(id, other);
  EXPECT_THAT(Verify(), ElementsAre(AllOf(HasSubstr("file.ready of seq aud_"),
                                          HasSubstr("has a row that differs from the log"))));
}

TEST_F(VerifyEventsTest, finds_a_skipped_event) {
  ASSERT_TRUE(scene_.core.table->Apply({}, "events", scene_.core.table->LastPosition()).ok());
  EXPECT_THAT(Verify(), ElementsAre(HasSubstr("message.created of seq 4 never became a row"),
                                    HasSubstr("message.created of seq 5 never became a row")));
}

TEST_F(VerifyEventsTest, finds_a_row_that_names_another_reader) {
  scene_.Settle();
  const auto events = scene_.Events();
  Item other = Stored(events.at(0).event_id);
  other.Find("payload")->As<Item>()->Set("onlyFor", "bob");
  PlantEvent(events.at(0).event_id, other);
  EXPECT_THAT(Verify(), ElementsAre(HasSubstr("of seq 4 has a row that differs from the log")));
}

TEST_F(VerifyEventsTest, finds_a_missing_or_changed_row) {
  scene_.Settle();
  const auto events = scene_.Events();
  Item other = Stored(events.at(0).event_id);
  other.Find("payload")->As<Item>()->Set("at", "2026-01-01T00:00:00.000Z");
  PlantEvent(events.at(0).event_id, other);
  PlantEvent(events.at(1).event_id, std::nullopt);
  EXPECT_THAT(Verify(), ElementsAre(HasSubstr("of seq 4 has a row that differs from the log"),
                                    HasSubstr("of seq 5 has lost its row")));
}

TEST_F(VerifyEventsTest, finds_an_event_that_returned) {
  scene_.Settle();
  Delete(scene_.Events().at(0).event_id);
  PlantPlace(std::nullopt);
  scene_.Crash();
  scene_.Settle();
  EXPECT_THAT(Verify(), ElementsAre(HasSubstr("of seq 4 became a row more than once")));
}

TEST_F(VerifyEventsTest, finds_a_row_before_its_turn) {
  scene_.Settle();
  std::string early;
  protocol::AppendVarint(&early, 1);
  protocol::AppendVarint(&early, 1);
  PlantPlace(storage::Row{1, early});
  EXPECT_THAT(Verify(), ElementsAre(HasSubstr("of seq 4 became a row before the relay reached it"),
                                    HasSubstr("of seq 5 became a row before the relay reached it")));
}

TEST_F(VerifyEventsTest, finds_a_second_row_under_another_id) {
  scene_.Settle();
  Item again = Stored(scene_.Events().at(0).event_id);
  const std::string id = "00000000-0004-8000-8000-000000000000";
  again.Set("sk", id);
  PlantEvent(id, again);
  EXPECT_THAT(Verify(), ElementsAre(HasSubstr(id + " has another id than its change gives")));
}

}  // namespace
}  // namespace parley::features::facts
