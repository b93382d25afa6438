#include "tests/gateway/tenant_scene.h"

#include "gateway/app/node.h"

namespace parley::gateway_test {

void TenantScene::Decide(std::function<protocol::Status(accounts::RecordTransaction&)> decide) {
  storage::ItemJob job;
  job.decide = [&](storage::ItemTransaction& tx) {
    accounts::RecordTransaction records(tx, protocol::TenantId{"acme"});
    const protocol::Status decided = decide(records);
    EXPECT_TRUE(decided.ok()) << decided.error().message;
  };
  job.done = [](const storage::Status&) {};
  EXPECT_TRUE(world_->node().item_writer().Submit(job));
  world_->Settle();
}

void TenantScene::SignIn(size_t times, const accounts::SignIn& asked) {
  for (size_t i = 0; i < times; ++i) {
    accounts::NewSecret cheap{"",
                              "id-" + std::to_string(++sign_ins_),
                              "hash-" + std::to_string(sign_ins_),
                              {"c2FsdA==", "cHJvb2Y="}};
    Decide([&](accounts::RecordTransaction& tx) -> protocol::Status {
      PARLEY_CHECK_OK(accounts::IssueTokens(tx, asked, cheap));
      return protocol::Ok();
    });
  }
}

size_t TenantScene::CountStored(std::string_view table, const std::string& hash) {
  const accounts::RecordReads reads(world_.table(), protocol::TenantId{"acme"}, world_.clock().Now(),
                                    world_->node().sealer());
  accounts::RecordReads::Ask ask;
  ask.table = table;
  ask.key = accounts::AllOf(hash);
  ask.limit = 200;
  return reads.List(ask)->items.size();
}

}  // namespace parley::gateway_test
