// Rows of text about cards: one behaviour per row, in a fresh project T between buyer and seller (seqs 1 to
// 3).
#pragma once

#include <string>
#include <vector>

#include "tests/threads/scene.h"

namespace parley::threads {

inline CardPorts PortsNamed(const std::vector<std::string_view>& names) {
  CardPorts ports = 0;
  for (size_t i = 1; i < std::size(kCardPortNames); ++i) {
    for (const std::string_view name : names) {
      if (name == kCardPortNames[i]) ports |= static_cast<CardPorts>(1 << i);
    }
  }
  return ports;
}

inline void ExpectCardRows(const std::vector<SceneRow>& rows,
                           const std::vector<std::string_view>& ports = {}) {
  for (const SceneRow& row : rows) {
    SCOPED_TRACE("given '" + std::string(row.given) + "' when '" + std::string(row.when) + "'");
    Scene scene;
    scene.tenant_policy.card_ports = PortsNamed(ports);
    scene.Given("buyer thread.create kind=project");
    scene.Given(row.given);
    EXPECT_EQ(scene.Do(row.when), row.then);
  }
}

// The OUT# rows of T: "M1.6 booking.reschedule!" (with "!" if the card waits), or a field of each.
inline std::string OutboxText(Scene& scene, const std::string& field = "") {
  std::string out;
  const auto status = scene.Rows(TenantId{"demo"})
                          .raw()
                          .Scan(ThreadPartition(TenantId{"demo"}, scene.ThreadNamed("T")),
                                RangeOf(storage::ThreadTag::kEffect), storage::Direction::kForward, SIZE_MAX,
                                [&](std::string_view, storage::RowView row) {
                                  const auto item = ItemFrom<protocol::OutboxItem>(row.payload);
                                  if (!field.empty()) {
                                    out += Pick(row.payload, field, scene.names) + " ";
                                  } else {
                                    out += scene.names.Shorten(item.effect_id.value) + " " +
                                           item.effect.value + (item.awaits ? "! " : " ");
                                  }
                                  return true;
                                });
  EXPECT_TRUE(status.ok());
  return out;
}

// A scene with a project.
class CardScene : public testing::Test {
 protected:
  CardScene() { scene.Given("buyer thread.create kind=project"); }
  CardRow Card(const std::string& name) {
    return *scene.Rows(TenantId{"demo"}).Card(scene.ThreadNamed("T"), scene.MessageNamed(name)).value();
  }
  MessageRow Message(const std::string& name) {
    return *scene.Rows(TenantId{"demo"}).Message(scene.ThreadNamed("T"), scene.MessageNamed(name)).value();
  }
  Scene scene;
};

}  // namespace parley::threads
