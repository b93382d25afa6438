#include "tests/sim/uploaders_support.h"

#include <unistd.h>

#include <fstream>

#include "features/files/files.h"
#include "features/files/process.h"
#include "gateway/ops/router.h"
#include "tests/sim/value_support.h"
#include "threads/files/begin_upload.h"

namespace parley::sim {

using threads::FileState;

namespace {

constexpr const char* kTenant = "files-ten";
constexpr size_t kPeople = 3;
constexpr size_t kBlobs = 6;
constexpr int64_t kLargestWish = 1500;

protocol::TenantId TenantOf() {
  return protocol::TenantId{protocol::KeyText::UpToNul(kTenant)};
}

bool MayBeUnknown(const threads::Error& error) {
  return error.code == threads::ErrorCode::kUnavailable || error.code == threads::ErrorCode::kInternal;
}

}  // namespace

void UploadCounts::operator+=(const UploadCounts& other) {
  runs += other.runs;
  begun += other.begun;
  completed += other.completed;
  cancelled += other.cancelled;
  passed += other.passed;
  found += other.found;
  released += other.released;
  sent += other.sent;
  deleted += other.deleted;
  redacted += other.redacted;
  withheld += other.withheld;
  refused += other.refused;
  full += other.full;
  looks += other.looks;
  hidden += other.hidden;
  swept += other.swept;
}

Uploaders::Uploaders(uint64_t seed, std::vector<std::string>* complaints)
    : random_(seed ^ 0x66696c6573), complaints_(complaints) {
  std::string name = (std::filesystem::temp_directory_path() / "parley_sim_XXXXXX").string();
  if (!::mkdtemp(name.data())) Complain("no folder");
  folder_ = name;
}

Uploaders::~Uploaders() {
  std::error_code none;
  std::filesystem::remove_all(folder_, none);
}

void Uploaders::Found(Process& process) {
  counts_.runs = 1;
  const auto call = [&](const std::string& target, std::string body) {
    gateway::HttpRequest request{"POST", target, std::move(body), "192.0.2.102", {}};
    request.headers = {{"Authorization", "Bearer " + kOperatorKey}};
    const auto answer = process.transport(0).Http(std::move(request));
    process.Settle();
    if (!*answer || (*answer)->status >= 300) Complain(target + " is refused");
  };
  call("/v1/tenants",
       R"({"tenantId":"files-ten","name":"files","settings":{"knownUsersOnly":false,"userProjects":true,)"
       R"("limits":{"enabled":false},"safety":{"textPolicy":"off"},"messageRequests":{"enabled":false},)"
       R"("files":{"perThreadBytes":4000,"tenantBytes":6000,"perUserPerDayBytes":9000,)"
       R"("perUserPerDayCount":14,"concurrentPerUser":3}}})");
  call(std::string("/v1/tenants/") + kTenant + "/activate", "{}");
  for (const std::vector<size_t>& members : {std::vector<size_t>{0, 1}, {0, 2}}) {
    threads::Caller service{TenantOf(), std::nullopt, threads::Role::kService};
    const auto name = [&](size_t i) { return CallerOf(members[i]).user->ToText(); };
    Ask(process, service, "thread.create",
        R"({"kind":"project","buyerUserId":")" + name(0) + R"(","sellerUserId":")" + name(1) +
            R"(","clientId":"room-)" + std::to_string(rooms_.size()) + "\"}",
        [this, members](const threads::Answer& answer) {
          protocol::Document reply;
          if (!answer.ok() || protocol::DecodeMsgpack(*answer, {}, &reply)) return Complain("no thread");
          const std::string id = Text(*reply.root.Find("thread"), "threadId");
          rooms_.push_back({*protocol::ThreadId::FromText(id), members});
        });
    process.Settle();
  }
}

threads::Caller Uploaders::CallerOf(size_t user) const {
  const std::string name = "usr_file_" + std::string(1, static_cast<char>('a' + user));
  return {TenantOf(), protocol::UserId{protocol::KeyText::UpToNul(name)}};
}

std::string Uploaders::Name(const Upload& upload) const {
  return upload.id.ToText() + " of " + CallerOf(upload.by).user->ToText();
}

// `done` is not called if the process dies first.
void Uploaders::Ask(Process& process, const threads::Caller& caller, const char* op, const std::string& args,
                    Done done) {
  protocol::Document document;
  if (protocol::DecodeJson(args, {}, &document)) return Complain("args of ours are bad: " + args);
  const std::weak_ptr<int> life = life_;
  gateway::Route(process.node().io(), op, caller, document.root,
                 [life, done = std::move(done)](const gateway::Answer& answer) {
                   if (life.lock()) done(answer);
                 });
}

void Uploaders::Work(Process& process) {
  latest_ms_ = std::max(latest_ms_, process.clock().Now().ms);
  if (Roll(2) == 0) features::FilesOf(process.node().io()).Step();
  if (rooms_.size() < 2 || alone_) return;
  switch (Roll(24)) {
    case 0:
    case 9:
      return Begin(process);
    case 1:
    case 2:
    case 3:
    case 4:
      return Move(process);
    case 5:
    case 10:
    case 11:
      return Send(process);
    case 6:
      return ChangeMessage(process);
    case 7:
    case 8:
      return Look(process);
    default:
      return;
  }
}

void Uploaders::ProcessGone() {
  life_ = std::make_shared<int>();
  alone_ = false;
  for (auto& upload : uploads_) upload->busy = false;
  for (auto& message : messages_) message->busy = false;
}

// --- beginning

void Uploaders::Begin(Process& process) {
  auto upload = std::make_unique<Upload>();
  upload->id.ulid = process.node().io().ids().Make(process.clock().Now());
  upload->thread = Roll(rooms_.size());
  upload->by = Roll(kPeople);
  upload->declared = 1 + static_cast<int64_t>(Roll(kLargestWish));
  upload->begun_ms = upload->lives_from_ms = process.clock().Now().ms;
  threads::UploadWish wish;
  wish.thread = rooms_[upload->thread].id;
  wish.id = upload->id;
  wish.name = protocol::Text<255>{"a.txt"};
  wish.mime = protocol::Text<127>{"text/plain"};
  wish.size = upload->declared;
  wish.thread_bytes_max = 4000;
  if (IsQuiet()) {
    for (auto& one : uploads_) Learn(process, one.get(), "before an upload");
  }
  alone_ = IsQuiet();
  Facts begun;
  begun.state = FileState::kRequested;
  begun.size = upload->declared;
  upload->candidate = begun;
  upload->busy = true;
  threads::Job job;
  job.tenant = TenantOf();
  job.thread = wish.thread;
  job.decide = [caller = CallerOf(upload->by), wish](threads::Transaction& tx) {
    return threads::BeginUpload(tx, caller, wish);
  };
  job.done = [this, life = std::weak_ptr<int>(life_), &process, upload = upload.get(),
              asked_ms = upload->begun_ms](const threads::Answer& answer) {
    if (life.lock()) OnBegun(process, upload, answer, asked_ms);
  };
  uploads_.push_back(std::move(upload));
  process.node().io().Submit(std::move(job));
}

void Uploaders::OnBegun(Process& process, Upload* upload, const threads::Answer& answer, int64_t asked_ms) {
  upload->busy = false;
  const bool alone = std::exchange(alone_, false);
  if (!answer.ok() && MayBeUnknown(answer.error())) return;
  const int64_t now_ms = process.clock().Now().ms;
  upload->lives_from_ms = std::min(upload->lives_from_ms, now_ms);
  const std::vector<Lack> certain = Lacking(*upload, std::max(asked_ms, now_ms), false);
  const std::vector<Lack> possible = Lacking(*upload, std::min(asked_ms, now_ms), true);
  const Facts begun = *std::exchange(upload->candidate, std::nullopt);
  upload->may_count = upload->counts = answer.ok();
  if (answer.ok()) {
    protocol::AttachmentReply reply;
    if (!threads::DecodeStored(*answer, &reply)) return Complain("a reply is bad");
    upload->begun_ms = reply.attachment.created_at.value->ms;
    upload->now = begun;
    ++counts_.begun;
  }
  const auto& members = rooms_[upload->thread].members;
  if (std::find(members.begin(), members.end(), upload->by) == members.end()) {
    if (answer.ok() || answer.error().code != threads::ErrorCode::kThreadNotMember)
      Complain(Name(*upload) + ": is begun in a thread of others");
    return;
  }
  if (alone) JudgeBegun(*upload, certain, possible, answer);
}

void Uploaders::JudgeBegun(const Upload& upload, const std::vector<Lack>& certain,
                           const std::vector<Lack>& possible, const threads::Answer& answer) {
  if (answer.ok()) {
    if (certain.empty()) return;
    return Complain(Name(upload) + ": exceeds " + certain[0].limit + ", of which " +
                    std::to_string(certain[0].left) + " is left");
  }
  std::string limit, left;
  for (const auto& [name, value] : answer.error().fields) (name == "limit" ? limit : left) = value;
  for (const Lack& lack : possible) {
    const bool exact = certain.size() != possible.size() || std::to_string(lack.left) == left;
    if (lack.limit != limit || !exact) continue;
    ++counts_.full;
    return;
  }
  Complain(Name(upload) + ": is refused by " + limit + " with " + left + " left: " + answer.error().message);
}

// --- moving

std::optional<Uploaders::Facts> Uploaders::After(const Facts& facts, Act act, const std::string& blob) const {
  if (!facts.state) return std::nullopt;
  const FileState from = *facts.state;
  Facts after = facts;
  const auto enter = [&](FileState to) {
    if (from != to) after.by_scanner = false;
    after.state = to;
    return std::optional(after);
  };
  const auto end = [&](FileState to) {
    after.blob.clear();
    return enter(to);
  };
  const bool incomplete = from == FileState::kRequested || from == FileState::kUploading;
  const bool stored = from == FileState::kReady || from == FileState::kQuarantined;
  switch (act) {
    case Act::kAppend:
      return incomplete ? enter(FileState::kUploading) : std::nullopt;
    case Act::kComplete:
      if (!incomplete) return std::nullopt;
      after.blob = blob;
      after.size = 100 * (1 + blob[0] - 'a');
      return enter(FileState::kScanning);
    case Act::kFail:
      return incomplete ? end(FileState::kFailed) : std::nullopt;
    case Act::kCancel:
      return incomplete || from == FileState::kCancelled ? end(FileState::kCancelled) : std::nullopt;
    case Act::kPass:
      if (from != FileState::kScanning) return std::nullopt;
      after.judged = true;
      return enter(FileState::kReady);
    case Act::kFind:
      if (from != FileState::kScanning && !stored) return std::nullopt;
      enter(FileState::kQuarantined);
      after.by_scanner = true;
      return after;
    case Act::kHold:
      return from == FileState::kScanning || stored ? enter(FileState::kQuarantined) : std::nullopt;
    case Act::kRelease:
      if (facts.by_scanner) return std::nullopt;
      return from == FileState::kScanning || stored ? enter(FileState::kReady) : std::nullopt;
    case Act::kFree:
      return stored ? enter(FileState::kReady) : std::nullopt;
  }
  return std::nullopt;
}

threads::FileMove Uploaders::MoveFor(const Upload& upload, Act act, const std::string& blob) const {
  constexpr FileState kTo[kActs] = {FileState::kUploading,   FileState::kScanning, FileState::kFailed,
                                    FileState::kCancelled,   FileState::kReady,    FileState::kQuarantined,
                                    FileState::kQuarantined, FileState::kReady,    FileState::kReady};
  threads::FileMove move;
  move.thread = rooms_[upload.thread].id;
  move.id = upload.id;
  move.to = kTo[static_cast<size_t>(act)];
  move.reason = "r";
  move.scanned = act == Act::kPass || act == Act::kHold || act == Act::kRelease;
  move.by_scanner = act == Act::kFind;
  if (act == Act::kPass) {
    move.from = FileState::kScanning;
    move.first_band = 0;
  }
  if (act == Act::kFree) {
    move.staff = CallerOf(kPeople);
    move.staff->role = threads::Role::kModerator;
  }
  if (act == Act::kComplete) {
    move.stored.emplace();
    move.stored->blob.value = move.stored->sha256.value = blob;
    move.stored->size = 100 * (1 + blob[0] - 'a');
  }
  return move;
}

// Stores bytes, pinned; equal names have equal bytes. Returns the name.
std::string Uploaders::PutBytes(Process& process) {
  const std::string blob(64, static_cast<char>('a' + Roll(kBlobs)));
  const std::filesystem::path path = folder_ / ("staged-" + std::to_string(++names_));
  std::ofstream(path) << std::string(static_cast<size_t>(100 * (1 + blob[0] - 'a')), blob[0]);
  if (!features::FilesOf(process.node().io()).PutPinned(TenantOf(), blob, path.string()).ok())
    Complain("bytes cannot be stored");
  std::filesystem::remove(path);
  return blob;
}

// Mostly one that has not reached its end.
Uploaders::Upload* Uploaders::PickOne() {
  const bool any = Roll(6) == 0;
  std::vector<Upload*> out;
  for (const auto& one : uploads_) {
    if (!one->settled() || !one->now.state) continue;
    if (any || (*one->now.state != FileState::kCancelled && *one->now.state != FileState::kFailed))
      out.push_back(one.get());
  }
  return out.empty() ? nullptr : out[out.size() - 1 - Roll(std::min<size_t>(out.size(), 6))];
}

void Uploaders::Move(Process& process) {
  Upload* const upload = PickOne();
  if (!upload) return;
  constexpr Act kUsual[] = {Act::kAppend, Act::kComplete, Act::kComplete, Act::kPass, Act::kPass};
  const Act act = Roll(3) == 0 ? static_cast<Act>(Roll(kActs)) : kUsual[Roll(std::size(kUsual))];
  const FileState state = *upload->now.state;
  // The bytes of a complete upload are stored once, because its first request claims it until then.
  if (act == Act::kComplete && state != FileState::kUploading && state != FileState::kReady) return;
  // Requests are refused before they would fail an upload that has ended or gives no bytes.
  if (act == Act::kFail && (state == FileState::kFailed || state == FileState::kScanning)) return;
  const std::string blob = act == Act::kComplete ? PutBytes(process) : std::string();
  const std::optional<Facts> after = After(upload->now, act, blob);
  upload->candidate = after ? after : upload->now;
  upload->busy = true;
  features::Files& files = features::FilesOf(process.node().io());
  features::SubmitMove(process.node().io(), TenantOf(), MoveFor(*upload, act, blob),
                       [this, life = std::weak_ptr<int>(life_), &files, upload, act, after,
                        blob](const threads::Answer& answer) {
                         if (!life.lock()) return;
                         if (!blob.empty()) files.Unpin(TenantOf(), blob);
                         OnMoved(upload, act, after, answer);
                       });
}

void Uploaders::OnMoved(Upload* upload, Act act, const std::optional<Facts>& after,
                        const threads::Answer& answer) {
  upload->busy = false;
  if (!answer.ok() && MayBeUnknown(answer.error())) return;
  upload->candidate.reset();
  if (!answer.ok() && answer.error().code == threads::ErrorCode::kNotFound && MayBeSwept(*upload)) return;
  if (answer.ok() != after.has_value())
    return Complain(Name(*upload) + ", which is " + std::string(protocol::NameOf(*upload->now.state)) +
                    (answer.ok() ? ", moves" : ", does not move") + " by " +
                    std::to_string(static_cast<int>(act)));
  if (!after) {
    ++counts_.refused;
    return;
  }
  upload->now = *after;
  upload->brought_nothing |= after->state == FileState::kCancelled || after->state == FileState::kFailed;
  upload->may_bring_nothing |= upload->brought_nothing;
  Count(act);
}

void Uploaders::Count(Act act) {
  counts_.completed += act == Act::kComplete;
  counts_.cancelled += act == Act::kCancel;
  counts_.passed += act == Act::kPass;
  counts_.found += act == Act::kFind;
  counts_.released += act == Act::kRelease || act == Act::kFree;
}

}  // namespace parley::sim
