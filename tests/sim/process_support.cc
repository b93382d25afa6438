#include "tests/sim/process_support.h"

namespace parley::sim {

Process::Process(std::shared_ptr<storage::MemoryDisk> disk, gateway_test::FakeClock& clock, uint64_t seed,
                 const gateway::Config& config)
    : clock_(clock),
      loop_(clock),
      table_(storage::OpenMemoryTable(std::move(disk))),
      ids_(protocol::NewSeededIdSource(seed)),
      transport_(loop_) {
  tenants_.Add(accounts::MakeDemoTenant(table_.identity().secret));
  node_ = std::make_unique<gateway::Node>(table_, clock, *ids_, loop_, tenants_, config, metrics_);
  if (const std::string why = node_->Open(); !why.empty()) throw std::runtime_error(why);
  server_ = std::make_unique<gateway::Server>(*node_, std::vector<gateway::Transport*>{&transport_}, files_);
  transport_.Listen({}, server_->handler(0));
}

Process::~Process() {
  loop_.DropAll();
}

void Process::Settle() {
  while (StepLoop() || StepExecutor() || StepWorker()) {
  }
  node_->worker().SaveCursors();
}

std::string Process::TokenOf(const std::string& user) const {
  accounts::Claims claims;
  claims.sub = user;
  claims.tid = accounts::kDemoTenant;
  claims.exp_s = clock_.Now().ms / 1000 + 100 * 365 * 24 * 3600LL;
  return accounts::SignHs256(claims, tenants_.Find(accounts::kDemoTenant)->signing_secret);
}

}  // namespace parley::sim
