#include "threads/engine/batch.h"

#include <algorithm>

#include "threads/model/pair_reports.h"
#include "threads/model/requests.h"

namespace parley::threads {

namespace {

void NoteRemembered(const std::vector<storage::RowWrite>& writes, bool new_thread,
                    RememberedKeys* remembered) {
  if (new_thread) remembered->Begin();
  for (const storage::RowWrite& write : writes) {
    const std::string_view sort = write.sort.bytes();
    if (sort.front() != static_cast<char>(storage::ThreadTag::kIdempotency)) continue;
    write.row ? remembered->Add(sort) : remembered->Remove(sort);
  }
}

// Removes swept participants from the cache. After a round of removal, the remembered answers may have become
// few enough to load them again.
void NoteForgotten(const Decision& decision, const std::vector<storage::RowWrite>& writes,
                   CachedThread* cached) {
  for (const storage::RowWrite& write : writes) {
    UserId user;
    if (!write.row && ParseParticipantKey(write.sort.bytes(), &user)) cached->participants.erase(user);
  }
  if (!decision.head || !cached->head) return;
  const bool round_ended =
      cached->head->hidden.forget_due_at.value != decision.head->hidden.forget_due_at.value;
  if (round_ended) cached->remembered.LookAgain();
}

void AddSubscribed(SubscribedEvent event, protocol::EventKindSet wanted, protocol::Time at,
                   ChangeEntry* entry) {
  if ((wanted & protocol::SetOf(event.kind)) == 0) return;
  if (!entry->subscribed.value) entry->subscribed.value.emplace();
  entry->subscribed.value->items.push_back(std::move(event));
  entry->at.value = at;
}

void AddSubscribedEvents(const Decision& decision, protocol::EventKindSet wanted, ChangeEntry* entry) {
  if (wanted == 0) return;
  for (const SharedChange& event : decision.events)
    AddSubscribed({event.kind, event.seq, {event.item}, event.only_for, {}}, wanted, decision.at, entry);
  for (const SubscribedEvent& event : decision.back_end_events)
    AddSubscribed(event, wanted, decision.at, entry);
}

// Returns the new value if blocks began or ceased to apply; nullopt for a new thread.
std::optional<bool> BlocksHoldNews(const std::optional<ThreadRow>& before,
                                   const std::optional<ThreadRow>& after) {
  if (!before || !after || BlocksHoldIn(*before) == BlocksHoldIn(*after)) return std::nullopt;
  return BlocksHoldIn(*after);
}

}  // namespace

Executor::Batch::Batch(storage::Table& table, ThreadCache& cache, const protocol::Clock& clock,
                       protocol::IdSource& ids, const ExecutorSettings& settings)
    : table_(table),
      cache_(cache),
      ids_(ids),
      settings_(settings),
      now_(clock.Now()),
      kept_(clock.Kept()),
      overlay_(table) {}

const Executor::Batch::Place& Executor::Batch::At(const TenantId& tenant, const ThreadId& thread) {
  if (place_.cached && place_.thread == thread && place_.tenant == tenant) return place_;
  place_.tenant = tenant;
  place_.thread = thread;
  place_.partition = ThreadPartition(tenant, thread);
  const bool own = settings_.shard.Owns(thread);
  if (!own) foreign_ = {};
  place_.cached = own ? &cache_.At(place_.partition) : &foreign_;
  return place_;
}

Result<std::optional<ThreadRow>> Executor::Batch::Thread(const TenantId& tenant, const ThreadId& thread) {
  CachedThread& cached = *At(tenant, thread).cached;
  if (cached.head) return cached.head;
  PARLEY_TRY(head, Rows(tenant).Thread(thread));
  cached.head = head;
  return std::move(head);
}

Result<std::optional<ParticipantRow>> Executor::Batch::Participant(const TenantId& tenant,
                                                                   const ThreadId& thread,
                                                                   const UserId& user) {
  CachedThread& cached = *At(tenant, thread).cached;
  if (const auto found = cached.participants.find(user); found != cached.participants.end())
    return std::optional(found->second);
  PARLEY_TRY(row, Rows(tenant).Participant(thread, user));
  if (row) cached.participants.emplace(user, *row);
  return std::move(row);
}

Result<MembersPtr> Executor::Batch::MembersOf(const TenantId& tenant, const ThreadId& thread) {
  CachedThread& cached = *At(tenant, thread).cached;
  if (cached.members) return cached.members;
  PARLEY_TRY(ids, Rows(tenant).MemberIds(thread));
  cached.members = Members::Of(std::move(ids));
  return cached.members;
}

Result<std::optional<IdempotencyRow>> Executor::Batch::Earlier(const TenantId& tenant, const ThreadId& thread,
                                                               const UserId& owner, const ClientId& client) {
  const Place& place = At(tenant, thread);
  const RememberedKeys& remembered = place.cached->remembered;
  // If others write too, the cache may be incomplete.
  if (table_.sole_writer()) {
    if (remembered.state() == RememberedKeys::State::kUnread) PARLEY_CHECK_OK(ReadRemembered(place));
    if (!remembered.MayHold(IdempotencyKey(owner, client).bytes())) return std::optional<IdempotencyRow>();
  }
  return Rows(tenant).Idempotency(thread, owner, client);
}

// Every write of a party asks for this, and reports are rare: reads the row again only after a report was
// opened or ended. A change that another executor has decided but not committed is not yet acknowledged
// either.
Result<bool> Executor::Batch::PairReported(const TenantId& tenant, const ThreadRow& head) {
  const protocol::Thread& thread = head.item;
  CachedThread& cached = *At(tenant, thread.thread_id).cached;
  const uint64_t reports = settings_.reports->load(std::memory_order_acquire);
  if (cached.reports == reports && !reports_changed_ && table_.sole_writer()) return cached.pair_reported;
  PARLEY_TRY(reported, IsPairReported(Rows(tenant), thread));
  if (!reports_changed_) {
    cached.reports = reports;
    cached.pair_reported = reported;
  }
  return reported;
}

CheckMemories& Executor::Batch::MemoriesOf(const TenantId& tenant, const ThreadId& thread) {
  CheckMemories& memories = At(tenant, thread).cached->memories;
  if (!table_.sole_writer()) memories = {};
  memories.Refresh(settings_.checks->generation());
  return memories;
}

protocol::Status Executor::Batch::ReadRemembered(const Place& place) {
  RememberedKeys& remembered = place.cached->remembered;
  remembered.Begin();
  const auto status =
      overlay_.Scan(place.partition, RangeOf(storage::ThreadTag::kIdempotency), storage::Direction::kForward,
                    RememberedKeys::kReadMost + 1, [&](std::string_view sort, storage::RowView) {
                      remembered.Add(sort);
                      return true;
                    });
  if (!status.ok() || remembered.size() > RememberedKeys::kReadMost) remembered.GiveUp();
  return status.ok() ? protocol::Ok() : FromStorage(status);
}

RowReader Executor::Batch::Rows(const TenantId& tenant) {
  return RowReader(overlay_, tenant);
}

void Executor::Batch::Reserve(const storage::PartitionKey& partition, const storage::SortKey& sort,
                              std::string payload) {
  storage::CommitRequest request;
  request.partition = partition;
  request.writes.push_back({sort, storage::Row{1, std::move(payload)}});
  reserved_.push_back(std::move(request));
}

void Executor::Batch::Release(const storage::PartitionKey& partition, const storage::SortKey& sort) {
  storage::CommitRequest request;
  request.partition = partition;
  request.writes.push_back({sort, std::nullopt});
  reserved_.push_back(std::move(request));
}

void Executor::Batch::Keep(Charge::Answer taken) {
  for (std::unique_ptr<Taken>& one : taken) paying_.push_back(std::move(one));
}

void Executor::Batch::PushPaid() {
  for (std::unique_ptr<Taken>& taken : paying_) {
    for (storage::CommitRequest& request : taken->Stand()) Push(std::move(request));
    paid_.push_back(std::move(taken));
  }
  paying_.clear();
}

Answer Executor::Batch::Decide(const Job& job, std::optional<Onward>* onward) {
  trace_ = job.trace;
  Answer answer = DecideOne(job, onward);
  paying_.clear();  // gives back the charges of a rejected command
  return answer;
}

Answer Executor::Batch::DecideOne(const Job& job, std::optional<Onward>* onward) {
  reserved_.clear();
  if (place_.cached == &foreign_) place_ = {};
  Result<Decision> decided = job.decide(*this);
  if (!decided.ok()) return std::move(decided.error());
  if (job.refusal && (decided->reserves_only || decided->changes_something())) return *job.refusal;
  if (decided->reserves_only) {
    for (storage::CommitRequest& request : reserved_) Push(std::move(request));
  } else if (decided->changes_something()) {
    const ThreadId thread = job.thread ? *job.thread : decided->head->item.thread_id;
    for (storage::CommitRequest& request : reserved_) Push(std::move(request));
    for (storage::CommitRequest& request : decided->beside) Push(std::move(request));
    if (auto pair = PairWriteOf(job.tenant, *decided)) {
      reports_changed_ = true;
      storage::CommitRequest request;
      request.partition = std::move(pair->partition);
      request.writes.push_back(std::move(pair->write));
      Push(std::move(request));
    }
    PARLEY_CHECK_OK(Accept(job.tenant, thread, *decided));
    PARLEY_CHECK_OK(FoldOldRows(job.tenant, thread));
    PushPaid();
  }
  *onward = std::move(decided->onward);
  return std::move(decided->reply);
}

// Returns the members after the change, including a removed member, as the recipients of its events.
Result<MembersPtr> Executor::Batch::RecipientsOf(const TenantId& tenant, const ThreadId& thread,
                                                 const Decision& decision, MembersPtr* after) {
  if (!decision.membership) {
    PARLEY_TRY(members, MembersOf(tenant, thread));
    *after = members;
    return members;
  }
  if (decision.first_seq == 1) {
    std::vector<UserId> ids;
    for (const ParticipantRow& row : decision.participants) ids.push_back(row.item.user_id);
    std::sort(ids.begin(), ids.end());
    *after = Members::Of(std::move(ids));
    return *after;
  }
  PARLEY_TRY(next, MembersOf(tenant, thread));
  MembersPtr recipients;
  for (const ParticipantRow& row : decision.participants) {
    if (!row.active()) recipients = next;
    next = row.active() ? With(next, row.item.user_id) : Without(next, row.item.user_id);
  }
  *after = std::move(next);
  return recipients ? recipients : *after;
}

// Converts rows from an earlier version as the thread is used.
protocol::Status Executor::Batch::FoldOldRows(const TenantId& tenant, const ThreadId& thread) {
  const Place& place = At(tenant, thread);
  CachedThread& cached = *place.cached;
  if (cached.folded || !cached.head || cached.head->hidden.deleted_count == 0) return protocol::Ok();
  PARLEY_TRY(slice, FoldDeleted(Rows(tenant), thread));
  cached.folded = slice.last;
  if (slice.writes.empty()) return protocol::Ok();
  storage::CommitRequest request;
  request.partition = place.partition;
  request.writes = std::move(slice.writes);
  Push(std::move(request));
  return protocol::Ok();
}

protocol::Status Executor::Batch::Accept(const TenantId& tenant, const ThreadId& thread, Decision& decision) {
  PARLEY_CHECK_OK(WriteUncounted(Rows(tenant), thread, &decision));
  const std::optional<bool> blocks_hold = BlocksHoldNews(At(tenant, thread).cached->head, decision.head);
  // A row for later commands only, which no member receives.
  const bool note = !decision.changed && !decision.personal && decision.several.empty() && !blocks_hold;
  MembersPtr after, recipients;
  if (!note) {
    PARLEY_TRY(found, RecipientsOf(tenant, thread, decision, &after));
    recipients = std::move(found);
  }

  storage::CommitRequest request;
  const Place& place = At(tenant, thread);
  request.partition = place.partition;
  CachedThread& cached = *place.cached;
  // The commit point: LOG#{seq} must not exist yet, which fixes the number of this change. Only this executor
  // writes here, so a failure means that another process does. A later change of the same item may have
  // removed that row, so the commit also requires the head that was read. If nothing else can write, the
  // first commit since the thread was loaded has proved that the cache matches the store.
  if (!decision.events.empty() && !(cached.guarded && table_.sole_writer())) {
    using Kind = storage::Precondition::Kind;
    cached.guarded = true;
    request.preconditions.push_back({LogKey(decision.first_seq), Kind::kAbsent, 0});
    const uint64_t read = decision.head->row_version - 1;
    request.preconditions.push_back({ThreadKey(), read == 0 ? Kind::kAbsent : Kind::kVersionIs, read});
  }
  request.writes = std::move(decision.writes);
  NoteRemembered(request.writes, decision.first_seq == 1, &cached.remembered);
  NoteForgotten(decision, request.writes, &cached);
  if (decision.head) cached.head = std::move(decision.head);
  ChangeEntry entry{tenant, thread, decision.personal, decision.changed, {}, {}, {}, {}, {}};
  if (decision.cases) entry.cases.value = true;
  if (!decision.acts.empty()) entry.acts.value.emplace().items = std::move(decision.acts);
  AddSubscribedEvents(decision, policy(tenant).events, &entry);
  if (note) {
    if (entry.acts.value || entry.subscribed.value) request.log_entry = EncodeChangeEntry(entry);
    Push(std::move(request));
    return protocol::Ok();
  }
  cached.members = std::move(after);
  for (ParticipantRow& row : decision.participants) {
    cached.participants.insert_or_assign(row.item.user_id, std::move(row));
  }
  if (!decision.several.empty()) entry.several.value.emplace().items = std::move(decision.several);
  request.log_entry = EncodeChangeEntry(entry);

  auto change = std::make_shared<CommittedChange>();
  change->tenant = tenant;
  change->thread = thread;
  change->at = decision.at;
  change->recipients = std::move(recipients);
  change->events = std::move(decision.events);
  change->receipt = std::move(decision.receipt);
  change->requests = std::move(decision.requests);
  change->prompt = entry.subscribed.value || entry.acts.value || entry.cases.value;
  if (cached.head) change->gated = GatedIn(*cached.head);
  change->blocks_hold = blocks_hold;
  change->trace = trace_;
  if (!trace_ && settings_.tracer) change->trace = settings_.tracer->Of(thread);
  changes_.emplace(requests_.size(), std::move(change));
  Push(std::move(request));
  return protocol::Ok();
}

void Executor::Batch::Push(storage::CommitRequest request) {
  for (const storage::RowWrite& write : request.writes) {
    bytes_ += write.sort.bytes().size() + (write.row ? write.row->payload.size() : 0);
  }
  overlay_.Put(request.partition, request.writes);  // the writes keep their address when the request moves
  requests_.push_back(std::move(request));
}

std::string Executor::Batch::Conclude(const storage::Status& status,
                                      std::span<const storage::CommitResult> results,
                                      std::vector<CommittedChangePtr>* changes) {
  if (!status.ok()) return status.detail.empty() ? "the store failed" : status.detail;
  for (const storage::CommitResult& result : results) {
    if (result.code != storage::StatusCode::kOk) return "another writer changed a thread's partition";
  }
  if (reports_changed_) settings_.reports->fetch_add(1, std::memory_order_release);
  changes->reserve(changes_.size());
  for (auto& [index, change] : changes_) {
    change->position = results[index].position;
    changes->push_back(std::move(change));
  }
  return {};
}

}  // namespace parley::threads
