#include "fanout/verify/index_facts.h"

#include "fanout/keys.h"

namespace parley::fanout {

void CheckProjectRowsOf(const storage::Reader& reader, const ThreadFacts& facts,
                        const std::function<void(const std::string&)>& differs) {
  const auto created = protocol::ParseTime(facts.head->Text("createdAt")).value_or(protocol::Time{0});
  const storage::SortKey sort = ProjectKey(created, facts.thread);
  const auto expect = [&](const storage::PartitionKey& partition, const char* kind) {
    std::optional<storage::Row> row;
    if (!reader.Get(partition, sort, &row).ok() || !row)
      differs(facts.name() + ": the " + kind + " row is missing");
  };
  if (!facts.head->IsNull("lbgId"))
    expect(LbgPartition(facts.tenant, {protocol::KeyText::UpToNul(facts.head->Text("lbgId"))}), "LBG");
  if (!facts.head->IsNull("legId"))
    expect(LegPartition(facts.tenant, {protocol::KeyText::UpToNul(facts.head->Text("legId"))}), "LEG");
}

void CheckEffectRows(const storage::Reader& reader, const ThreadFacts& facts,
                     const std::function<void(const std::string&)>& differs) {
  for (const auto& [seq, effect] : facts.effects) {
    const protocol::Value* value = effect.root.Find("at");
    const std::string text = value && value->as_text() ? std::string(*value->as_text()) : "";
    const auto at = protocol::ParseTime(text).value_or(protocol::Time{0});
    protocol::Writer asked;
    asked.Put(effect.root);
    std::optional<storage::Row> row;
    if (!reader.Get(EffectFeedPartition(facts.tenant), EffectFeedKey(at, facts.thread, seq), &row).ok() ||
        !row) {
      differs(facts.name() + ": OUT#" + std::to_string(seq) + " is not in the feed");
    } else if (row->payload != asked.bytes()) {
      differs(facts.name() + ": OUT#" + std::to_string(seq) + " differs in the feed");
    }
  }
}

}  // namespace parley::fanout
