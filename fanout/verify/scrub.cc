#include "fanout/verify/scrub.h"

#include <algorithm>

#include "fanout/inbox_rows.h"
#include "fanout/verify/inbox_check.h"
#include "fanout/verify/index_facts.h"
#include "fanout/verify/member_facts.h"
#include "fanout/verify/redaction_facts.h"
#include "storage/engine/item_change.h"
#include "threads/model/change.h"

namespace parley::fanout {
namespace {

using storage::Direction;
using storage::SortRange;
using storage::ThreadTag;

constexpr size_t kTimeBytes = 6;  // at the beginning of a ULID
constexpr uint64_t kSteps = 8;

// Counts the rows read.
class CountingReader final : public storage::Reader {
 public:
  explicit CountingReader(const storage::Reader& under) : under_(under) {}
  storage::Status Get(const storage::PartitionKey& partition, const storage::SortKey& sort,
                      std::optional<storage::Row>* out) const override {
    ++rows_;
    return under_.Get(partition, sort, out);
  }
  storage::Status MultiGet(std::span<const storage::RowKey> keys,
                           std::vector<std::optional<storage::Row>>* out) const override {
    rows_ += keys.size();
    return under_.MultiGet(keys, out);
  }
  storage::Status Scan(const storage::PartitionKey& partition, const SortRange& range, Direction direction,
                       size_t limit, const storage::RowVisitor& visit) const override {
    return under_.Scan(partition, range, direction, limit, [&](std::string_view sort, storage::RowView row) {
      ++rows_;
      return visit(sort, row);
    });
  }
  storage::Status ScanAll(std::optional<storage::TableTag> table,
                          const storage::FullVisitor& visit) const override {
    return under_.ScanAll(table, visit);
  }
  size_t rows() const { return rows_; }

 private:
  const storage::Reader& under_;
  mutable size_t rows_ = 0;
};

// Returns true if the member's unread number can be computed from the messages that were read: they include
// the member's last read one, or all of them.
bool TellsUnread(const ThreadFacts& facts, const RawItem& member) {
  if (facts.messages.empty() || facts.messages.front()->Number("msgNo") == 1) return true;
  const std::string user = member.Text("userId"), read = member.Text("lastReadMsgId");
  return std::any_of(facts.messages.begin(), facts.messages.end(), [&](const RawItem* message) {
    return message->born_seq < member.born_seq || message->Text("messageId") == read ||
           message->Text("authorUserId") == user;
  });
}

// Loads as many rows of one thread as the limits allow. Its functions return false if the thread cannot be
// checked.
class Loader {
 public:
  Loader(const storage::Reader& reader, const ScrubLimits& limits, ThreadFacts* facts)
      : reader_(reader), limits_(limits), facts_(facts) {}

  // The newest messages, and the cards.
  bool LoadNewest() {
    const bool read = Take(threads::RangeOf(ThreadTag::kMessage), Direction::kReverse, limits_.messages) &&
                      Whole(ThreadTag::kCard);
    Arrange(facts_);
    return read && facts_->unreadable.empty();
  }
  bool Load(uint64_t seed) {
    const bool read = Take(threads::RangeOf(ThreadTag::kThread), Direction::kForward, 1) && Sample(seed) &&
                      Take(threads::RangeOf(ThreadTag::kMessage), Direction::kReverse, limits_.messages) &&
                      Take(threads::RangeOf(ThreadTag::kLog), Direction::kReverse, 1) &&
                      Whole(ThreadTag::kCard) && Whole(ThreadTag::kEffect);
    Arrange(facts_);
    return read && facts_->head && facts_->unreadable.empty();
  }

 private:
  bool Take(const SortRange& range, Direction direction, size_t limit) {
    return reader_
        .Scan(threads::ThreadPartition(facts_->tenant, facts_->thread), range, direction, limit,
              [&](std::string_view sort, storage::RowView row) {
                ++taken_;
                AddRow(std::string(sort), row.payload, facts_);
                return true;
              })
        .ok();
  }
  bool Whole(ThreadTag tag) {
    const size_t before = taken_;
    return Take(threads::RangeOf(tag), Direction::kForward, limits_.cards) && taken_ - before < limits_.cards;
  }
  // Draws as many members as the limits allow, each with the same probability.
  bool Sample(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::pair<std::string, std::string>> drawn;
    size_t seen = 0;
    const auto status = reader_.Scan(
        threads::ThreadPartition(facts_->tenant, facts_->thread), threads::RangeOf(ThreadTag::kParticipant),
        Direction::kForward, SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
          const size_t place = seen < limits_.members ? seen : random() % (seen + 1);
          ++seen;
          if (place >= limits_.members) return true;
          if (place == drawn.size()) drawn.emplace_back();
          drawn[place] = {std::string(sort), std::string(row.payload)};
          return true;
        });
    for (const auto& [sort, payload] : drawn) AddRow(sort, payload, facts_);
    return status.ok();
  }

  const storage::Reader& reader_;
  const ScrubLimits& limits_;
  ThreadFacts* const facts_;
  size_t taken_ = 0;
};

// Loads all rows of a thread. Returns false if there are more than `limit`, or if they cannot be read.
bool LoadWhole(const storage::Reader& reader, size_t limit, ThreadFacts* facts) {
  size_t rows = 0;
  const auto status =
      reader.Scan(threads::ThreadPartition(facts->tenant, facts->thread), SortRange::All(),
                  Direction::kForward, limit + 1, [&](std::string_view sort, storage::RowView row) {
                    if (++rows <= limit) AddRow(std::string(sort), row.payload, facts);
                    return rows <= limit;
                  });
  Arrange(facts);
  return status.ok() && rows <= limit;
}

}  // namespace

// One look: its snapshot, the pending threads, and the result.
struct Scrub::Round {
  explicit Round(Scrub& scrub)
      : from(scrub.projected_()), under(scrub.table_.NewSnapshot()), reader(*under) {}

  // Records a difference in a thread, or in a user's inbox row for it, with an order to repair it.
  void Differ(const TenantId& tenant, const ThreadId& thread, const std::optional<UserId>& user,
              protocol::Time at, const std::string& what) {
    if (IsAside(reader, tenant, thread)) return;  // reported already; cannot be repaired
    look.differences.push_back(what);
    auto found = std::find_if(look.repairs.begin(), look.repairs.end(),
                              [&](const RepairOrder& order) { return order.thread == thread; });
    if (found == look.repairs.end()) found = look.repairs.insert(found, {tenant, thread, {}, {}, at});
    if (user) found->users.insert(*user);
    found->what += (found->what.empty() ? "" : "; ") + what;
  }
  Look Done() {
    look.rows = reader.rows();
    return std::move(look);
  }

  const storage::Position from;  // read before the snapshot; later entries are pending
  const storage::Snapshot under;
  const CountingReader reader;
  std::set<ThreadName> pending;
  Look look;
};

Scrub::Scrub(const storage::Table& table, const protocol::Clock& clock, Watermarks projected, uint64_t seed,
             ScrubLimits limits)
    : table_(table), clock_(clock), projected_(std::move(projected)), limits_(limits), random_(seed) {}

// Returns false if the projections lag too far, or if the log was trimmed in between.
bool Scrub::FindPending(storage::Position from, std::set<ThreadName>* out) const {
  storage::Position last = from;
  bool sound = true;
  const auto status =
      table_.ReadLog(from, limits_.pending, [&](storage::Position position, std::string_view bytes) {
        sound = position == last + 1;
        last = position;
        if (!sound || storage::IsItemEntry(bytes)) return sound;
        threads::ChangeEntry entry;
        sound = threads::DecodeChangeEntry(bytes, &entry);
        if (sound) out->emplace(entry.tenant, entry.thread);
        return sound;
      });
  return status.ok() && sound && last - from < limits_.pending;
}

// Draws a time first, then a thread created near it. Threads are spread evenly enough over time.
std::optional<ThreadId> Scrub::DrawThread(const storage::Reader& reader, const TenantId& tenant) {
  const auto all = storage::PartitionKey::OfTenant(tenant, storage::TableTag::kThreads);
  const auto find = [&](const SortRange& range, Direction direction) {
    std::string found;
    const auto status = reader.Scan(all, range, direction, 1, [&](std::string_view sort, storage::RowView) {
      found = sort.substr(0, sizeof(protocol::Ulid::bytes));
      return false;
    });
    return status.ok() && found.size() == sizeof(protocol::Ulid::bytes) ? found : std::string();
  };
  const std::string first = find({}, Direction::kForward), last = find({}, Direction::kReverse);
  if (first.empty() || last.empty()) return std::nullopt;
  const auto ms = [](const std::string& id) {
    uint64_t out = 0;
    for (size_t i = 0; i < kTimeBytes; ++i) out = out << 8 | static_cast<uint8_t>(id[i]);
    return out;
  };
  const uint64_t at = ms(first) + Draw() % (ms(last) - ms(first) + 1);
  std::string drawn;
  for (size_t i = kTimeBytes; i-- > 0;) drawn += static_cast<char>(at >> (8 * i));
  while (drawn.size() < sizeof(protocol::Ulid::bytes)) drawn += static_cast<char>(Draw());
  std::string found = find({storage::SortKey(drawn), {}}, Direction::kForward);
  // Threads created at the same moment are adjacent, so a few are skipped.
  for (uint64_t steps = Draw() % kSteps; !found.empty() && steps > 0; --steps)
    found = find({storage::SortKey(storage::UpperBound(found)), {}}, Direction::kForward);
  if (found.empty()) found = Draw() % 2 == 0 ? first : last;
  return ThreadId{*protocol::Ulid::FromBytes(found)};
}

Scrub::Look Scrub::LookAtThread(const TenantId& tenant) {
  Round round(*this);
  const auto thread = DrawThread(round.reader, tenant);
  if (thread) JudgeRows(round, tenant, *thread);
  if (!thread || !FindPending(round.from, &round.pending) || round.pending.contains({tenant, *thread}))
    return round.Done();
  ThreadFacts facts;
  facts.tenant = tenant;
  facts.thread = *thread;
  if (!Loader(round.reader, limits_, &facts).Load(Draw())) return round.Done();
  std::optional<UserId> user;
  const protocol::Time now = clock_.Now();
  const InboxCheck::Differs differs = [&](const std::string& what) {
    round.Differ(tenant, *thread, user, now, what);
  };
  round.look.thread = true;
  InboxCheck inbox(round.reader, now, round.pending, differs);
  for (const RawItem* member : facts.participants) {
    if (!member->IsNull("removedAt") || !TellsUnread(facts, *member)) continue;
    user = UserId{protocol::KeyText::UpToNul(member->Text("userId"))};
    inbox.ExpectMember(facts, *member);
    if (!walked_.contains(tenant)) walked_[tenant] = user->value;
  }
  user.reset();
  inbox.ExpectThread(facts);
  CheckDirectRow(round.reader, facts, differs);
  CheckProjectRowsOf(round.reader, facts, differs);
  CheckEffectRows(round.reader, facts, differs);
  return round.Done();
}

// Checks the thread's own rows. They do not depend on projections, so pending entries do not matter.
void Scrub::JudgeRows(Round& round, const TenantId& tenant, const ThreadId& thread) const {
  const auto differs = [&round](const std::string& what) { round.look.differences.push_back(what); };
  ThreadFacts whole;
  whole.tenant = tenant;
  whole.thread = thread;
  if (LoadWhole(round.reader, limits_.thread_rows, &whole)) {
    // A thread with an unreadable row is set aside and reported by the projections.
    if (whole.unreadable.empty()) CheckThread(whole, differs);
    return;
  }
  ThreadFacts newest;
  newest.tenant = tenant;
  newest.thread = thread;
  if (Loader(round.reader, limits_, &newest).LoadNewest())
    CheckRedactions(newest, [&](const std::string& what) { differs(newest.name() + ": " + what); });
}

std::optional<UserId> Scrub::NextUser(const storage::Reader& reader, const TenantId& tenant) {
  const auto all = storage::PartitionKey::OfTenant(tenant, storage::TableTag::kInboxIndex);
  for (const std::string& after : {walked_[tenant], std::string()}) {
    std::string found;
    const storage::SortKey begin(after.empty() ? after : after + '\1');
    const auto status =
        reader.Scan(all, {begin, {}}, Direction::kForward, 1, [&](std::string_view sort, storage::RowView) {
          found = sort.substr(0, sort.find('\0'));
          return false;
        });
    if (!status.ok()) return std::nullopt;
    if (found.empty()) continue;
    walked_[tenant] = found;
    return UserId{protocol::KeyText::UpToNul(found)};
  }
  return std::nullopt;
}

Scrub::Look Scrub::LookAtInbox(const TenantId& tenant) {
  Round round(*this);
  const auto user = NextUser(round.reader, tenant);
  if (!user || !FindPending(round.from, &round.pending)) return round.Done();
  const protocol::Time now = clock_.Now();
  CellCounts counted, claimed;
  bool readable = true;
  size_t rows = 0;
  std::vector<InboxKeyParts> drawn;  // sampled with equal probability
  std::optional<ThreadId> any;
  const auto status = round.reader.Scan(InboxPartition(tenant, *user), SortRange::All(), Direction::kForward,
                                        limits_.inbox_rows, [&](std::string_view sort, storage::RowView row) {
                                          InboxKeyParts key;
                                          readable &= ParseInboxKey(sort, &key);
                                          if (!readable) return false;
                                          if (key.kind == InboxRowKind::kCounts)
                                            return readable = DecodeCounts(row.payload, &claimed);
                                          if (key.kind == InboxRowKind::kEntry) ++counted[key.cell];
                                          any = key.place.thread;
                                          const size_t place =
                                              rows < limits_.entries ? rows : Draw() % (rows + 1);
                                          ++rows;
                                          if (place == drawn.size()) drawn.emplace_back();
                                          if (place < drawn.size()) drawn[place] = std::move(key);
                                          return true;
                                        });
  if (!status.ok()) return round.Done();
  round.look.inbox = true;
  const std::string name = tenant.value + ": inbox of " + user->value + ": ";
  // The counts are written together with the entries that they count, so lag does not excuse a difference.
  if (!readable || (round.reader.rows() < limits_.inbox_rows && counted != claimed))
    round.Differ(tenant, any.value_or(ThreadId{}), user, now,
                 name + (readable ? "the counts differ from the rows" : "a row cannot be read"));
  ThreadId thread;
  InboxCheck inbox(round.reader, now, round.pending,
                   [&](const std::string& what) { round.Differ(tenant, thread, user, now, what); });
  for (const InboxKeyParts& key : drawn) {
    thread = key.place.thread;
    if (round.pending.contains({tenant, thread})) continue;
    std::optional<storage::Row> row;
    Seat seat;
    const auto found = round.reader.Get(PlacementPartition(tenant, thread), SeatKey(*user), &row);
    if (found.ok() && (!row || !DecodeSeat(row->payload, &seat) || seat.cell != key.cell)) {
      round.Differ(tenant, thread, user, now, name + "a row without its seat, for " + thread.ToText());
    } else {
      inbox.CheckRow(tenant, *user, key);
    }
  }
  return round.Done();
}

}  // namespace parley::fanout
