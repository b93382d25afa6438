// The I/O thread as the host of features.
#include <optional>

#include "features/host/cold_reads.h"
#include "gateway/app/counted_text.h"
#include "gateway/app/io_thread.h"
#include "gateway/app/node.h"
#include "gateway/app/options.h"
#include "storage/guarded_reader.h"

namespace parley::gateway {

using threads::Waits;

const protocol::Clock& IoThread::clock() const {
  return node_.clock();
}

const storage::Sealer& IoThread::sealer() const {
  return node_.sealer();
}

accounts::TenantPtr IoThread::FindTenant(const TenantId& tenant) const {
  return node_.tenants().Find(tenant.value);
}

threads::ReadContext IoThread::ContextOf(const storage::Reader& reader, const threads::Caller& caller) const {
  return node_.ContextOf(reader, caller);
}

const threads::CursorCodec& IoThread::cursors() const {
  return node_.cursors();
}

features::Service* IoThread::FindService(std::string_view feature) const {
  return node_.FindService(feature);
}

bool IoThread::draining() const {
  return node_.draining();
}

size_t IoThread::max_body_bytes() const {
  return static_cast<size_t>(node_.config().max_body_bytes);
}

threads::TenantRules IoThread::RulesOf(const TenantId& tenant) const {
  return node_.RulesOf(tenant);
}

protocol::Result<std::optional<protocol::StartCount>> IoThread::StartsOf(
    const threads::ReadContext& context) const {
  return std::as_const(node_).rate_limits().StartsOf(context.snapshot, context.caller, context.now);
}

uint64_t IoThread::NextPairChange() {
  return node_.NextPairChange();
}

void IoThread::Read(const ReadRoad& road, bool answers, std::function<void(const storage::Reader&)> read,
                    std::function<void()> then) {
  const auto reads = road.reads.lock();
  if (!reads) return;
  if (road.has_turn || !reads->MustWait()) {
    const auto view = View();
    std::optional<ReaderShare> building(std::in_place, node_.readers(),
                                        static_cast<size_t>(AnswerBytes(node_.config())));
    const storage::MemoryAttempt attempt(*view, kBytesOnLoop);
    read(attempt);
    if (!attempt.missed()) {
      node_.read_pool().CountFromMemory();
      if (!answers) building.reset();  // what follows reads on
      return then();
    }
  }
  reads->ReadCold(std::move(read), std::move(then), road);
}

void IoThread::Compose(const TenantId& owner, bool large, WriteText write,
                       std::function<void(protocol::Result<std::string>)> then) {
  const auto text = std::make_shared<CountedText>(node_.readers());
  const auto compose = [text, write = std::move(write)] { write(&text->text(), [&text] { text->Count(); }); };
  const auto finish = [text, then] {
    std::string answer;
    const HeldBytes held = text->TakeText(&answer);  // until the transport counts it
    then(std::move(answer));
  };
  if (!large) {
    compose();
    return finish();
  }
  ReadJob job;
  job.read = [compose](const storage::Reader&) { compose(); };
  job.finish = finish;
  job.loop = &loop_;
  job.owner = owner.ToText();
  if (!node_.read_pool().SubmitDue(job)) then(features::TooManyReads());
}

bool IoThread::SubmitItems(storage::ItemJob& job) {
  job.origin = index_;
  return node_.item_writer().Submit(job);
}

void IoThread::AfterDecisions(const TenantId& tenant, std::function<void()> done) {
  threads::Executors& executors = node_.executors();
  auto left = std::make_shared<size_t>(executors.count());
  for (size_t i = 0; i < executors.count(); ++i) {
    threads::Job job;
    job.tenant = tenant;
    job.origin = index_;
    job.decide = [](threads::Transaction&) { return threads::Decision(); };
    job.done = [left, done](const threads::Answer&) {
      if (--*left == 0) done();
    };
    executors.SubmitTo(i, std::move(job));
  }
}

void IoThread::AwaitProjection(fanout::ProjectionId projection, std::function<void(bool)> done) {
  fanout::Worker& worker = node_.worker();
  const storage::Position needed = node_.table().LastPosition();
  if (worker.watermark(projection).position() >= needed) return done(true);
  if (worker.stopped(projection)) return done(false);
  AwaitWatermark(worker.watermark(projection), needed, std::move(done));
}

// One after the other: the first to be late ends the wait.
void IoThread::Await(Waits indexes, std::function<void(bool)> done) {
  struct Index {
    Waits bit;
    fanout::ProjectionId projection;
  };
  static constexpr Index kIndexes[] = {{Waits::kProject, fanout::ProjectionId::kProject},
                                       {Waits::kInbox, fanout::ProjectionId::kInbox},
                                       {Waits::kCards, fanout::ProjectionId::kCards}};
  for (const Index& index : kIndexes) {
    if (!Includes(indexes, index.bit)) continue;
    const auto rest = static_cast<Waits>(static_cast<uint8_t>(indexes) & ~static_cast<uint8_t>(index.bit));
    return AwaitProjection(index.projection, [this, rest, done = std::move(done)](bool reached) {
      if (!reached) return done(false);
      Await(rest, done);
    });
  }
  if (!Includes(indexes, Waits::kAudit)) return done(true);
  fanout::Watermark& audit = node_.audit_reached();
  const storage::Position needed = node_.table().LastPosition();
  if (audit.position() >= needed) return done(true);
  AwaitWatermark(audit, needed, std::move(done));
}

void IoThread::Revoke(const TenantId& tenant, const accounts::SessionsToEnd& ends) {
  node_.Revoke(RevocationOf(tenant, ends));
}

void IoThread::NotePeopleChanged() {
  node_.checks().NoteChanged();
}

void IoThread::PublishPairChange(const PairChange& change) {
  node_.PublishPairChange(change);
}

std::set<UserId> IoThread::OnlineOf(const TenantId& tenant, const std::vector<UserId>& users) const {
  std::set<UserId> online;
  for (const UserId& user : users) {
    if (ephemera_.IsOnline(tenant, user)) online.insert(user);
  }
  return online;
}

}  // namespace parley::gateway
