#include "bench/load/local_node.h"

#include <cstdio>
#include <cstdlib>

#include "bench/net/wire_view.h"
#include "fanout/projections.h"
#include "fanout/wakes.h"
#include "threads/clock/clock_tasks.h"
#include "threads/lifecycle/create_thread.h"
#include "threads/messages/send_message.h"

namespace parley::bench {
namespace {

[[noreturn]] void GiveUp(const std::string& what, const std::string& why) {
  std::fprintf(stderr, "parley-bench: %s: %s\n", what.c_str(), why.c_str());
  std::exit(1);
}

}  // namespace

LocalNode::LocalNode(storage::Table& table) : LocalNode(table, system_clock_) {}

LocalNode::LocalNode(storage::Table& table, const protocol::Clock& clock)
    : table_(table),
      clock_(clock),
      ids_(protocol::NewSecureIdSource()),
      worker_(table, {}, *this, metrics_),
      executor_(table, clock_, *ids_, {}, *this, *this, metrics_) {
  fanout::AddProjections([](const protocol::TenantId&, const protocol::UserId&) { return false; }, &worker_);
  // The tenant must be named, as by a server: otherwise the store would look like one of an earlier version,
  // whose rows a server rewrites during the measurement.
  if (const storage::Status status = worker_.Open({protocol::TenantId{"demo"}}); !status.ok())
    GiveUp("projections", status.detail);
}

protocol::ThreadId LocalNode::Create(const std::vector<std::string>& members) {
  const auto made = Submit(members);
  Step();
  return *made;
}

std::shared_ptr<const protocol::ThreadId> LocalNode::Submit(const std::vector<std::string>& members) {
  protocol::ThreadCreate::Args args;
  args.kind = protocol::ThreadKind::kProject;
  args.buyer_user_id = protocol::UserId{members[0].c_str()};
  args.seller_user_id = protocol::UserId{members[1].c_str()};
  args.participants.emplace();
  for (size_t i = 2; i < members.size(); ++i) {
    args.participants->items.push_back(
        {protocol::UserId{members[i].c_str()}, protocol::RoleContext::kSeller});
  }
  const auto made = std::make_shared<protocol::ThreadId>();
  Ask<threads::CreateThread>(members[0], std::move(args), [made](const threads::Answer& answer) {
    constexpr auto kMsgpack = protocol::Encoding::kMsgpack;
    const auto thread = FindValue(kMsgpack, *answer, "thread");
    const auto text = thread ? FindText(kMsgpack, *thread, "threadId") : std::nullopt;
    const auto id = text ? protocol::ThreadId::FromText(*text) : std::nullopt;
    if (!id) GiveUp("thread.create", "its answer names no thread");
    *made = *id;
  });
  return made;
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
  if (const std::string fault = worker_.fault(); !fault.empty()) GiveUp("projections", fault);
}

void LocalNode::Finish() {
  Step();
  CatchUp();
  worker_.SaveCursors();
}

void LocalNode::DoWhatIsDue() {
  CatchUp();
  std::vector<fanout::Wake> wakes;
  const protocol::TenantId tenant{"demo"};
  if (const auto status = fanout::ReadWakes(table_, tenant, {}, 256, &wakes); !status.ok())
    GiveUp("what is due", status.detail);
  for (const fanout::Wake& wake : wakes) {
    if (wake.at > clock_.Now()) break;
    std::string from;
    do {
      threads::Job job;
      job.tenant = tenant;
      job.thread = wake.thread;
      job.decide = [wake, tenant, from](threads::Transaction& tx) {
        return threads::RunClockTask(tx, tenant, wake.kind, wake.thread, wake.user, from);
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
    if (!one.answer.ok()) GiveUp("a command was refused", one.answer.error().message);
    if (one.done) one.done(one.answer);
  }
}

}  // namespace parley::bench
