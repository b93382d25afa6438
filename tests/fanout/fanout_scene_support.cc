#include "fanout/card_projection.h"
#include "fanout/inbox_projection.h"
#include "fanout/index_reads.h"
#include "fanout/project_projection.h"
#include "tests/fanout/fanout_scene.h"
#include "threads/cards/card_reads.h"
#include "threads/inbox/explain_inbox.h"
#include "threads/lifecycle/thread_reads.h"
#include "threads/members/participant_reads.h"
#include "threads/messages/message_reads.h"
#include "threads/panel/panel_reads.h"
#include "threads/staff/message_history.h"
#include "threads/staff/thread_audit.h"

namespace parley::fanout {

using threads::Pick;

// --- listener

Listener::Listener(std::string_view who, const Names& names, protocol::Encoding encoding)
    : caller_(threads::CallerFrom(who)), names_(names), encoding_(encoding) {}

std::string Listener::Hear(SharedPayload& payload) {
  frames.push_back(payload.Frame(encoding_));
  return *std::static_pointer_cast<const std::string>(frames.back());
}

// Checks that the joined payload is the events one after another.
void Listener::OnRun(LiveRun& run) {
  std::string one_by_one;
  for (LiveEvent& event : run.events) {
    Note(run.thread, event);
    one_by_one += *std::static_pointer_cast<const std::string>(frames.back());
  }
  runs.push_back(run.joined.Frame(encoding_));
  EXPECT_EQ(*std::static_pointer_cast<const std::string>(runs.back()), one_by_one);
}

void Listener::Note(const ThreadId& of, LiveEvent& event) {
  const std::string bytes = Hear(event.payload);
  if (encoding_ == protocol::Encoding::kJson) return lines_.push_back(names_.Shorten(bytes));
  const std::string thread = Pick(bytes, "threadId", names_);
  EXPECT_EQ(thread, names_.NameOf(of.ToText()));
  EXPECT_EQ(Pick(bytes, "ev", names_), protocol::NameOf(event.kind));
  if (event.seq == 0)
    return lines_.push_back(thread + " read " + Pick(bytes, "userId", names_) + " " +
                            Pick(bytes, "lastReadMsgId", names_));
  if (event.kind == protocol::EventKind::kSkip)
    return lines_.push_back(thread + " " + Pick(bytes, "seq", names_) + " skip");
  const protocol::Document document = threads::DecodeOwn(bytes);
  protocol::Writer item;
  item.Put(*document.root.Find("item"));
  EXPECT_EQ(Pick(bytes, "seq", names_), std::to_string(event.seq));
  lines_.push_back(thread + " " + threads::EventText(event.kind, event.seq, item.bytes(), names_));
}

void Listener::OnEntry(const EntryNotice& notice, SharedPayload& payload) {
  const std::string bytes = Hear(payload);
  EXPECT_EQ(notice.user, user());
  lines_.push_back("inbox " + Pick(bytes, "entry.threadId", names_) +
                   " unread=" + Pick(bytes, "entry.unread", names_) + (notice.announced ? "!" : ""));
}

void Listener::OnEphemeral(const ThreadId& thread, SharedPayload& payload) {
  const std::string bytes = Hear(payload);
  lines_.push_back(names_.NameOf(thread.ToText()) + " " + Pick(bytes, "ev", names_));
}

std::string Listener::Take() {
  std::string out;
  for (const std::string& line : lines_) out += line + "\n";
  lines_.clear();
  return out;
}

// --- scene

namespace {
threads::ExecutorSettings ExecutorSettingsWith(threads::CardPorts ports) {
  threads::ExecutorSettings settings;
  settings.policy = [ports](const TenantId&) { return threads::TenantRules{true, ports}; };
  return settings;
}
}  // namespace

FanoutScene::FanoutScene(WorkerSettings settings, threads::CardPorts ports, size_t piece_rows)
    : core(ExecutorSettingsWith(ports)), names(core.names), settings_(settings), piece_rows_(piece_rows) {
  Open();
}
FanoutScene::~FanoutScene() {
  Close();
}

void FanoutScene::Open() {
  metrics_ = std::make_unique<protocol::Metrics>();
  hub = std::make_unique<Hub>(
      [this](Payloads payloads, protocol::Encoding) {
        ++frames_made;
        std::string bytes;
        for (const std::string& payload : payloads) bytes += payload;
        return FramePtr(std::make_shared<const std::string>(std::move(bytes)));
      },
      *metrics_);
  live = std::make_unique<LiveDelivery>(
      *hub, [this](std::function<void()> task) { Post(std::move(task)); },
      [](const threads::CommittedChange&) {});
  worker = std::make_unique<Worker>(*core.watched, settings_, *this, *core.metrics);
  worker->Add(std::make_unique<InboxProjection>(
      [this](const TenantId& tenant, const UserId& user) { return hub->Wants(tenant, user); }, piece_rows_));
  worker->Add(std::make_unique<ProjectProjection>());
  worker->Add(std::make_unique<CardProjection>());
  EXPECT_TRUE(worker->Open({TenantId{"demo"}}).ok());
  core.next_sink = &ringing_;
}

void FanoutScene::Close() {
  loop_.clear();
  listeners_.clear();
  core.next_sink = nullptr;
}

void FanoutScene::Restart() {
  Close();
  worker.reset();
  core.Restart();
  Open();
}

void FanoutScene::Crash(size_t kept_applies) {
  core.table->Crash(kept_applies);
  Restart();
}

void FanoutScene::OnEntries(std::vector<EntryNotice> changed, storage::Position through) {
  notices.insert(notices.end(), changed.begin(), changed.end());
  Post([this, changed = std::move(changed), through] { hub->DeliverEntries(changed, through); });
}

void FanoutScene::Deliver() {
  while (!loop_.empty()) {
    const auto task = std::move(loop_.front());
    loop_.pop_front();
    task();
  }
}

void FanoutScene::Project() {
  while (worker->Step()) {
  }
}

void FanoutScene::Settle() {
  core.Step();
  Deliver();
  Project();
  Deliver();
}

std::string FanoutScene::Run(std::string_view lines) {
  const std::string answer = Do(lines);
  Settle();
  return answer;
}

void FanoutScene::RunLater(std::string_view lines) {
  for (const std::string& line : threads::SplitText(lines, ';')) {
    core.clock.Advance(1000);
    ASSERT_EQ(Run(line), "ok") << line;
  }
}

std::string FanoutScene::Read(std::string_view line, std::string_view path) {
  const threads::Call call = threads::CallFrom(line, names);
  const threads::CursorCodec cursors(core.table->identity().secret);
  const storage::Snapshot snapshot = core.table->NewSnapshot();
  const threads::ReadContext context{*snapshot, call.caller, cursors, core.clock.Now()};
  const auto answer = [&]<class Op>(const Op*, auto read) -> std::string {
    const auto args = threads::ArgsOf<typename Op::Args>(call);
    if (!args.ok()) return threads::ErrorText(args.error());
    const auto reply = read(context, *args);
    if (!reply.ok()) return threads::ErrorText(reply.error());
    if constexpr (std::is_same_v<std::decay_t<decltype(*reply)>, std::string>)
      return Pick(*reply, path, names);
    else
      return Pick(protocol::Encode(*reply), path, names);
  };
  if (call.op == "thread.get") return answer((protocol::ThreadGet*)nullptr, threads::GetThread);
  if (call.op == "thread.open") return answer((protocol::ThreadOpen*)nullptr, threads::OpenThread);
  if (call.op == "thread.changes") return answer((protocol::ThreadChanges*)nullptr, threads::ListChanges);
  if (call.op == "participant.list")
    return answer((protocol::ParticipantList*)nullptr, threads::ListParticipants);
  if (call.op == "message.list") return answer((protocol::MessageList*)nullptr, threads::ListMessages);
  if (call.op == "inbox.explain") return answer((protocol::InboxExplain*)nullptr, threads::ExplainInbox);
  if (call.op == "inbox.list") return answer((protocol::InboxList*)nullptr, ListInbox);
  if (call.op == "thread.byProject") return answer((protocol::ThreadByProject*)nullptr, ListByProject);
  return "not a read: " + call.op;
}

std::string FanoutScene::Inbox(const std::string& user, const std::string& more) {
  const std::string line = user + " inbox.list " + more;
  const auto threads = threads::SplitText(Read(line, "entries.*.threadId"), ' ');
  const auto unread = threads::SplitText(Read(line, "entries.*.unread"), ' ');
  std::string out;
  for (size_t i = 0; i < threads.size(); ++i)
    out += (i ? " " : "") + threads[i] + (i < unread.size() ? ":" + unread[i] : "");
  return out;
}

Listener& FanoutScene::Listen(std::string_view who, protocol::Encoding encoding) {
  listeners_.push_back(std::make_unique<Listener>(who, names, encoding));
  hub->Add(listeners_.back().get());
  return *listeners_.back();
}

void FanoutScene::Hangup(Listener& listener) {
  hub->Remove(&listener);
  std::erase_if(listeners_, [&](const auto& one) { return one.get() == &listener; });
}

double MetricValue(protocol::Metrics& metrics, const std::string& name) {
  const std::string text = metrics.Render();
  const size_t at = text.find("\n" + name + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
}

}  // namespace parley::fanout
