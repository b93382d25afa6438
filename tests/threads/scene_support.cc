#include <algorithm>

#include "tests/threads/scene.h"
#include "threads/cards/lapse_cards.h"
#include "threads/contacts/questions.h"
#include "threads/inbox/entry.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {
namespace {

int64_t MsFrom(std::string_view text) {  // "16m"
  const int64_t n = std::stoll(std::string(text));
  switch (text.back()) {
    case 'h':
      return n * 3'600'000;
    case 'm':
      return n * 60'000;
    case 's':
      return text.ends_with("ms") ? n : n * 1000;
  }
  std::abort();
}

std::string OwnText(const ParticipantRow& row, const Names& names, protocol::Time now) {
  std::string out = "personal " + row.item.user_id.value + ":";
  if (row.item.last_read_msg_id) out += " read=" + names.NameOf(row.item.last_read_msg_id->ToText());
  if (row.hidden.muted) out += " muted";
  if (row.hidden.muted_until)
    out += " for " + std::to_string((row.hidden.muted_until->ms - now.ms) / 1000) + "s";
  if (row.hidden.pinned) out += " pinned";
  if (row.hidden.archived_at_no && *row.hidden.archived_at_no >= 0)
    out += " archived at " + std::to_string(*row.hidden.archived_at_no);
  if (row.hidden.label) out += " label=" + Quoted(*row.hidden.label);
  return out;
}

}  // namespace

Scene::Scene() {
  AddChecks();
}

void Scene::AddChecks() {
  checks_.Add<WriteBarriers>([this](const CheckInput& input, const WriteBarriers& question, Barriers* out) {
    out->messaging =
        question.city && switched.contains(*question.city) ? switched.at(*question.city) : messaging;
    if (!question.user) return protocol::Ok();
    if (const auto found = sanctions.find(question.user->ToText()); found != sanctions.end())
      out->Add(found->second, input.now);
    if (!question.head || !IsParty(*question.head, question.user) || !BlocksHoldIn(*question.head))
      return protocol::Ok();
    const std::string one = PartiesOf(question.head->item)->one.ToText();
    const std::string other = PartiesOf(question.head->item)->other.ToText();
    out->blocked = blocks.contains({one, other}) || blocks.contains({other, one});
    return protocol::Ok();
  });
  checks_.Add<Blocking>([this](const CheckInput&, const Blocking& question, bool* out) {
    *out = blocks.contains({question.by.ToText(), question.whom.ToText()});
    return protocol::Ok();
  });
}

void Scene::Reserve(const storage::PartitionKey& partition, const storage::SortKey& sort,
                    std::string payload) {
  reserved_.push_back({partition, sort, std::move(payload)});
}

void Scene::Release(const storage::PartitionKey& partition, const storage::SortKey& sort) {
  reserved_.push_back({partition, sort, std::nullopt});
}

Result<MembersPtr> Scene::MembersOf(const TenantId& tenant, const ThreadId& thread) {
  PARLEY_TRY(ids, Rows(tenant).MemberIds(thread));
  return Members::Of(std::move(ids));
}

int64_t Scene::UnreadOf(const std::string& user) {
  const auto uncounted = Rows(TenantId{"demo"}).UncountedAbove(ThreadNamed("T"), 0);
  return Unread(Head(), Member(user), uncounted.value());
}

Result<Decision> Scene::Decide(const Call& call) {
  const Operation* op = FindOperation(call.op);
  if (!op || !op->decide) return protocol::Error(ErrorCode::kUnknownOp, call.op);
  PARLEY_TRY(args, op->bind(DecodeOwn(call.args).root));
  return op->decide(*this, call.caller, args.get(), nullptr);
}

std::string Scene::Do(std::string_view line) {
  line.remove_prefix(line.find_first_not_of(" \n"));
  if (line.front() == '+') return clock.Advance(MsFrom(line.substr(1))), "";
  if (line.front() == '-') return clock.SetBack(MsFrom(line.substr(1))), "";
  const Call call = CallFrom(line, names);
  reserved_.clear();
  Result<Decision> decided = Decide(call);
  accepted = decided.ok();
  if (!accepted) return ErrorText(decided.error());
  decision = std::move(*decided);
  return TakeOver(call);
}

std::string Scene::TakeOver(const Call& call) {
  if (!decision.changes_something() && !decision.reserves_only && !decision.onward) return "nothing";
  for (const Reserved& one : reserved_) {
    std::optional<storage::Row> row;
    if (one.payload) row = storage::Row{1, *one.payload};
    rows_.Put(one.partition, written_.emplace_back(storage::RowWrite{one.sort, std::move(row)}));
  }
  if (std::exchange(lose_next, false)) return "lost";
  if (const auto onward = std::exchange(decision.onward, std::nullopt)) {
    Result<Decision> decided = onward->decide(*this);
    accepted = decided.ok();
    if (!accepted) return ErrorText(decided.error());
    decision = std::move(*decided);
    if (decision.changes_something()) return TakeOver(call.caller.tenant, onward->thread);
  }
  if (!decision.changes_something()) return "nothing";
  const std::string named = Pick(call.args, "threadId", {});
  const ThreadId thread = named.empty() ? decision.head->item.thread_id : *ThreadId::FromText(named);
  return TakeOver(call.caller.tenant, thread);
}

std::string Scene::TakeOver(const TenantId& tenant, const ThreadId& thread) {
  const auto partition = ThreadPartition(tenant, thread);
  const auto before = Rows(tenant).Thread(thread).value();
  CheckDecision(partition, before ? before->item.last_seq : 0);
  EXPECT_TRUE(WriteUncounted(Rows(tenant), thread, &decision).ok());
  if (const auto pair = PairWriteOf(tenant, decision))
    rows_.Put(pair->partition, written_.emplace_back(pair->write));
  for (const storage::RowWrite& write : decision.writes) {
    int64_t seq = 0;
    const bool stale = !write.row && ParseLogKey(write.sort.bytes(), &seq);
    if (!stale || !keep_stale) rows_.Put(partition, written_.emplace_back(write));
  }
  for (const SharedChange& event : decision.events) NameItems(event, thread, &threads_, &names);
  return DecisionText();
}

std::string Scene::Lapse() {
  Result<Decision> decided = LapseCards(*this, TenantId{"demo"}, ThreadNamed("T"));
  accepted = decided.ok();
  if (!accepted) return ErrorText(decided.error());
  decision = std::move(*decided);
  return decision.changes_something() ? TakeOver(TenantId{"demo"}, ThreadNamed("T")) : "nothing";
}

CardAudit Scene::Audit(int64_t seq) {
  std::optional<storage::Row> row;
  EXPECT_TRUE(rows_.Get(ThreadPartition(TenantId{"demo"}, ThreadNamed("T")), CardAuditKey(seq), &row).ok() &&
              row);
  return ItemFrom<CardAudit>(row->payload);
}

// Invariants of every decision.
void Scene::CheckDecision(const storage::PartitionKey& partition, int64_t last_seq) {
  EXPECT_EQ(decision.first_seq, last_seq + 1);
  storage::Overlay after(rows_);
  for (const storage::RowWrite& write : decision.writes) after.Put(partition, write);
  for (const SharedChange& event : decision.events) {
    EXPECT_EQ(event.seq, ++last_seq) << "seqs are dense";
    std::optional<storage::Row> log, item;
    LogRow entry;
    ItemView view;
    ASSERT_TRUE(after.Get(partition, LogKey(event.seq), &log).ok());
    if (!log) continue;  // the item changed again: only its last change has a row
    ASSERT_TRUE(DecodeLog(log->payload, &entry));
    EXPECT_EQ(entry.kind, event.kind);
    ASSERT_TRUE(after.Get(partition, entry.sort, &item).ok() && item && ParseItem(item->payload, &view));
    EXPECT_EQ(view.seq, event.seq) << "the item's row is that of its last change";
    EXPECT_LE(view.born_seq, event.seq);
    EXPECT_EQ(view.wire, event.item) << "what is told is what is stored";
  }
  EXPECT_TRUE(decision.head.has_value() || decision.events.empty());
  if (decision.head) {
    EXPECT_EQ(decision.head->item.last_seq, last_seq);
  }
  const bool came_or_went =
      std::any_of(decision.events.begin(), decision.events.end(), [](const SharedChange& event) {
        return event.kind == protocol::EventKind::kParticipantAdded ||
               event.kind == protocol::EventKind::kParticipantRemoved;
      });
  EXPECT_EQ(decision.membership, came_or_went);
}

std::string Scene::DecisionText() const {
  std::string out;
  for (const SharedChange& event : decision.events)
    out += (out.empty() ? "" : "; ") + EventText(event.kind, event.seq, event.item, names);
  if (decision.personal) out += OwnText(decision.participants.back(), names, clock.Now());
  if (decision.receipt) out += " told";
  return out.empty() ? "no event" : out;
}

void Scene::SetMemberCount(size_t count) {
  ThreadRow head = Head();
  head.item.participant_count = static_cast<int64_t>(count);
  const storage::Row row{++head.row_version, EncodeItem(head)};
  rows_.Put(ThreadPartition(TenantId{"demo"}, ThreadNamed("T")),
            written_.emplace_back(storage::RowWrite{ThreadKey(), row}));
}

void Scene::Given(std::string_view lines) {
  for (const std::string& line : SplitText(lines, ';')) {
    const std::string result = Do(line);
    EXPECT_TRUE(accepted) << line << " → " << result;
  }
}

void ExpectRows(const std::vector<SceneRow>& rows) {
  for (const SceneRow& row : rows) {
    SCOPED_TRACE("given '" + std::string(row.given) + "' when '" + std::string(row.when) + "'");
    Scene scene;
    scene.Given("buyer thread.create");
    scene.Given(row.given);
    EXPECT_EQ(scene.Do(row.when), row.then);
  }
}

}  // namespace parley::threads
