// P21: the cost of an old thread. Days of traffic in one thread pass in a minute, because the clock is
// advanced by hand; everything that becomes due is done on the way. Then the same commands are timed
// alternately in the old thread and in a new one of the same store.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "bench/load/local_node.h"
#include "bench/measure/cpu.h"
#include "bench/process/server_process.h"
#include "bench/workloads/workload.h"
#include "storage/rocksdb_table.h"
#include "threads/cards/delete_message.h"
#include "threads/inbox/own_row.h"
#include "threads/lifecycle/thread_reads.h"
#include "threads/messages/change_message.h"
#include "threads/messages/mark_message.h"
#include "threads/messages/send_message.h"
#include "threads/model/retention.h"

namespace parley::bench {
namespace {

constexpr int64_t kTickMs = 10'000;
constexpr size_t kAgedMembers = 10, kTimedSends = 5'000, kTimedReads = 200;
constexpr int64_t kAgeHours = 72;  // idempotent replies are kept for 48 and removed after them

double Us(int64_t ns, size_t count) {
  return static_cast<double>(ns) / 1e3 / static_cast<double>(count);
}

// One thread with its traffic.
class Talk {
 public:
  Talk(LocalNode& node, TurnedClock& clock) : node_(node), clock_(clock) {
    for (size_t i = 0; i < kAgedMembers; ++i) users_.push_back("u" + std::to_string(i));
    thread_ = node.Create(users_);
  }

  // Ten seconds: `sends` messages, and a little of all other activity.
  void Tick(size_t sends) {
    for (size_t i = 0; i < sends; ++i) Send();
    Spend([&] { node_.Step(); });
    sends_ += sends;
    if (++ticks_ % 3 == 0) ChangeSomething();
    if (ticks_ % 30 == 0) Spend([&] { node_.CatchUp(); });
    clock_.Advance(kTickMs);
  }
  // Runs everything that is due, every quarter of an hour.
  void DoWhatIsDue() {
    const int64_t before = OwnThreadCpuNs();
    node_.DoWhatIsDue();
    forgetting_ns_ += OwnThreadCpuNs() - before;
  }

  double SendUs() const { return Us(spent_ns_, sends_); }
  double ForgettingUs() const { return Us(forgetting_ns_, sends_); }
  void StartTiming() { spent_ns_ = forgetting_ns_ = 0, sends_ = 0; }

  double ChangesUs() {
    const threads::CursorCodec cursors(node_.store_secret());
    threads::Caller caller;
    caller.tenant.value = "demo";
    caller.user = protocol::UserId{users_[1].c_str()};
    const int64_t before = OwnThreadCpuNs();
    for (size_t i = 0; i < kTimedReads; ++i) {
      const storage::Snapshot snapshot = node_.table().NewSnapshot();
      const threads::ReadContext context{*snapshot, caller, cursors, clock_.Now()};
      protocol::ThreadChanges::Args args;
      args.thread_id = thread_;
      args.after_seq.value = LastSeq(*snapshot) - 300;
      if (!threads::ListChanges(context, args).ok()) std::exit(1);
    }
    return Us(OwnThreadCpuNs() - before, kTimedReads);
  }
  double InboxSetUs() {
    const int64_t before = OwnThreadCpuNs();
    for (size_t i = 0; i < kTimedReads; ++i) {
      protocol::InboxSet::Args args;
      args.thread_id = thread_;
      args.pinned = i % 2 == 0;
      node_.Ask<threads::SetInboxFlags>(users_.back(), std::move(args));
      node_.Step();
    }
    return Us(OwnThreadCpuNs() - before, kTimedReads);
  }

 private:
  template <class F>
  void Spend(F&& what) {
    const int64_t before = OwnThreadCpuNs();
    what();
    spent_ns_ += OwnThreadCpuNs() - before;
  }
  // The last member sends nothing and reads nothing.
  const std::string& Somebody() { return users_[random_() % (kAgedMembers - 1)]; }
  int64_t LastSeq(const storage::Reader& reader) const {
    return threads::RowReader(reader, protocol::TenantId{"demo"}).Thread(thread_).value()->item.last_seq;
  }
  void Send() {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string name(20, ' ');  // random, as clients name sends
    for (char& c : name) c = kHex[random_() % 16];
    node_.Send(thread_, Somebody(), name, std::string(100, 'x') + name);
  }
  // The newest message gets a reaction, is edited or deleted, and is read by another member.
  void ChangeSomething() {
    const auto head = threads::RowReader(node_.table(), protocol::TenantId{"demo"}).Thread(thread_).value();
    const protocol::LastMessage& last = *head->hidden.last_message;
    protocol::MessageReact::Args react;
    react.thread_id = thread_;
    react.message_id = last.message_id;
    react.emoji.value = "👍";
    node_.Ask<threads::ReactToMessage>(Somebody(), std::move(react));
    protocol::ReadMark::Args read;
    read.thread_id = thread_;
    read.message_id = last.message_id;
    node_.Ask<threads::MarkRead>(Somebody(), std::move(read));
    if (ticks_ % 2 == 0) {
      protocol::MessageEdit::Args edit;
      edit.thread_id = thread_;
      edit.message_id = last.message_id;
      edit.body = protocol::Body{"corrected"};
      node_.Ask<threads::EditMessage>(last.author_user_id->value, std::move(edit));
    } else {
      protocol::MessageDelete::Args gone;
      gone.thread_id = thread_;
      gone.message_id = last.message_id;
      node_.Ask<threads::DeleteMessage>(last.author_user_id->value, std::move(gone));
    }
    Spend([&] { node_.Step(); });
  }

  LocalNode& node_;
  TurnedClock& clock_;
  std::vector<std::string> users_;
  protocol::ThreadId thread_;
  std::minstd_rand random_{1};
  size_t ticks_ = 0, sends_ = 0;
  int64_t spent_ns_ = 0, forgetting_ns_ = 0;
};

}  // namespace

void RunAge(const Context& context) {
  const ScratchDir dir(context.scratch);
  storage::RocksdbSettings settings;
  settings.dir = dir.path();
  auto opened = storage::OpenRocksdb(settings);
  if (const auto* error = std::get_if<storage::OpenError>(&opened)) {
    std::fprintf(stderr, "parley-bench: %s\n", error->message.c_str());
    std::exit(1);
  }
  auto& table = std::get<std::unique_ptr<storage::Table>>(opened);
  TurnedClock clock;
  LocalNode node(*table, clock);
  Talk old(node, clock);
  constexpr int64_t kTicks = kAgeHours * threads::kHourMs / kTickMs;
  // As many as a filled store has, but at most ten a second.
  const size_t sends = std::clamp<size_t>(context.messages / static_cast<size_t>(kTicks), 1, 100);
  double forgetting = 0;
  for (int64_t tick = 0; tick < kTicks; ++tick) {
    if (tick == kTicks * 2 / 3) old.StartTiming();  // the last day's cost includes forgetting
    old.Tick(sends);
    if (tick % 90 == 0) old.DoWhatIsDue();
    if (tick % (kTicks / 12) == 0)
      std::fprintf(stderr, "  hour %lld of %lld\n", static_cast<long long>(tick * kTickMs / threads::kHourMs),
                   static_cast<long long>(kAgeHours));
  }
  forgetting = old.ForgettingUs();
  std::vector<double> aged, fresh, send_ratios, old_changes, new_changes, change_ratios, old_set, new_set,
      set_ratios;
  for (int round = 0; round < context.rounds; ++round) {
    Talk young(node, clock);
    for (Talk* one : {&young, &old}) {
      one->StartTiming();
      for (size_t i = 0; i * 50 < kTimedSends; ++i) one->Tick(50);
    }
    aged.push_back(old.SendUs() + forgetting);
    fresh.push_back(young.SendUs());
    send_ratios.push_back(aged.back() / fresh.back());
    new_changes.push_back(young.ChangesUs());
    old_changes.push_back(old.ChangesUs());
    change_ratios.push_back(old_changes.back() / new_changes.back());
    new_set.push_back(young.InboxSetUs());
    old_set.push_back(old.InboxSetUs());
    set_ratios.push_back(old_set.back() / new_set.back());
  }
  char note[128];
  std::snprintf(note, sizeof note, "%lld h, %.1f sends/s; forgetting is %.2f us of it",
                static_cast<long long>(kAgeHours), static_cast<double>(sends) * 1000 / kTickMs, forgetting);
  context.report->Add({"P21", "CPU per send in an old thread, what it forgets included, us", Median(aged),
                       "in a new thread, us", Median(fresh), Median(send_ratios), GoalOf("P21"), note, ""});
  context.report->Add({"P21",
                       "thread.changes, 200 of the last, CPU in an old thread, us",
                       Median(old_changes),
                       "in a new thread, us",
                       Median(new_changes),
                       Median(change_ratios),
                       {1.5, 1.2, true},
                       "",
                       ""});
  context.report->Add({"P21",
                       "inbox.set in an old thread by somebody who read nothing, us",
                       Median(old_set),
                       "in a new thread, us",
                       Median(new_set),
                       Median(set_ratios),
                       {1.5, 1.2, true},
                       "",
                       ""});
}

}  // namespace parley::bench
