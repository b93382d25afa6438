#include "bench/load/local_node.h"

#include <cstdio>
#include <cstdlib>
#include <random>

#include "bench/measure/cpu.h"
#include "fanout/projections.h"
#include "fanout/wakes.h"
#include "storage/rocksdb_table.h"
#include "threads/clock/clock_tasks.h"

namespace parley::bench {
namespace {

[[noreturn]] void Give(const std::string& what, const std::string& why) {
  std::fprintf(stderr, "parley-bench: %s: %s\n", what.c_str(), why.c_str());
  std::exit(1);
}

// Random letters and spaces: real text compresses better, so the figures for space are conservative.
std::string RandomText(std::minstd_rand& random, size_t size) {
  std::string text(size, ' ');
  for (char& c : text) {
    const auto draw = static_cast<char>(random() % 27);
    if (draw < 26) c = static_cast<char>('a' + draw);
  }
  return text;
}

}  // namespace

LocalNode::LocalNode(storage::Table& table) : LocalNode(table, system_clock_) {}

LocalNode::LocalNode(storage::Table& table, const protocol::Clock& clock)
    : table_(table),
      clock_(clock),
      ids_(protocol::NewSecureIdSource()),
      worker_(table, {}, *this, metrics_),
      executor_(table, clock_, *ids_, {}, *this, *this, metrics_) {
  fanout::AddProjections(
      clock_, [](const protocol::TenantId&, const protocol::UserId&) { return false; }, &worker_);
  if (const storage::Status status = worker_.Open(); !status.ok()) Give("projections", status.detail);
}

protocol::ThreadId LocalNode::Create(const std::vector<std::string>& members) {
  protocol::ThreadCreate::Args args;
  args.kind = protocol::ThreadKind::kProject;
  args.buyer_user_id = protocol::UserId{members[0].c_str()};
  args.seller_user_id = protocol::UserId{members[1].c_str()};
  args.participants.emplace();
  for (size_t i = 2; i < members.size(); ++i) {
    args.participants->items.push_back(
        {protocol::UserId{members[i].c_str()}, protocol::RoleContext::kSeller});
  }
  Ask<threads::CreateThread>(members[0], std::move(args));
  Step();
  return *created_;
}

void LocalNode::Send(const protocol::ThreadId& thread, const std::string& author,
                     const std::string& client_id, std::string body) {
  protocol::MessageSend::Args args;
  args.thread_id = thread;
  args.client_id = protocol::ClientId{client_id.c_str()};
  args.body = protocol::Body{std::move(body)};
  Ask<threads::SendMessage>(author, std::move(args));
}

void LocalNode::Step() {
  while (executor_.Step()) {
  }
}

void LocalNode::CatchUp() {
  while (worker_.Step()) {
  }
  if (const std::string fault = worker_.fault(); !fault.empty()) Give("projections", fault);
}

void LocalNode::OnCommitted(std::vector<threads::CommittedChangePtr> changes) {
  if (!changes.empty()) created_ = changes.back()->thread;  // nobody is told of what only the clock asked for
}

void LocalNode::DoWhatIsDue() {
  CatchUp();
  std::vector<fanout::Wake> wakes;
  const protocol::TenantId tenant{"demo"};
  if (const auto status = fanout::ReadWakes(table_, tenant, {}, 256, &wakes); !status.ok())
    Give("what is due", status.detail);
  for (const fanout::Wake& wake : wakes) {
    if (wake.at > clock_.Now()) break;
    std::string from;
    do {
      threads::Job job;
      job.tenant = tenant;
      job.thread = wake.thread;
      job.decide = [wake, tenant, from](threads::Stage& stage) {
        return threads::RunClockTask(stage, tenant, wake.kind, wake.thread, wake.user, from);
      };
      job.done = [&from](threads::Answer answer) { from = answer.ok() ? *answer : std::string(); };
      executor_.Submit(std::move(job));
      Step();
    } while (!from.empty());
  }
  CatchUp();
}

void LocalNode::OnAnswers(std::vector<threads::Finished> finished) {
  for (const threads::Finished& one : finished) {
    if (!one.answer.ok()) Give("a command was refused", one.answer.error().message);
    if (one.done) one.done(one.answer);
  }
}

std::vector<protocol::ThreadId> FillStore(const std::string& dir, const DatasetPlan& plan) {
  storage::RocksdbSettings settings;
  settings.dir = dir;
  auto opened = storage::OpenRocksdb(settings);
  if (const auto* error = std::get_if<storage::OpenError>(&opened)) Give(dir, error->message);
  auto& table = std::get<std::unique_ptr<storage::Table>>(opened);
  LocalNode node(*table);
  const auto user = [](size_t thread, size_t member) {
    return "u" + std::to_string(thread) + "_" + std::to_string(member);
  };
  std::vector<protocol::ThreadId> threads;
  for (size_t thread = 0; thread < plan.threads; ++thread) {
    std::vector<std::string> members;
    for (size_t i = 0; i < plan.members; ++i) members.push_back(user(thread, i));
    if (!plan.everywhere.empty()) members.back() = plan.everywhere;
    threads.push_back(node.Create(members));
  }
  std::minstd_rand random(1);
  int64_t told = NowNs();
  for (size_t i = 0; i < plan.messages; ++i) {
    const size_t thread = i % plan.threads;
    const size_t authors = plan.members - (plan.everywhere.empty() ? 0 : 1);
    node.Send(threads[thread], user(thread, i / plan.threads % authors), std::to_string(i),
              RandomText(random, plan.body_bytes));
    if (node.queued() >= 2000) node.Step();
    if (i % 20'000 == 0) node.CatchUp();
    if (NowNs() - told > 5'000'000'000) {
      std::fprintf(stderr, "  filling a store: %zu of %zu messages\n", i, plan.messages);
      told = NowNs();
    }
  }
  node.Step();
  node.CatchUp();
  return threads;
}

}  // namespace parley::bench
