// Quotas of uploads, through the commands that change uploads, on two executors over one store.
#include "features/files/upload_quotas.h"

#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

#include "features/files/quota_facts.h"
#include "storage/memory_table.h"
#include "tests/threads/executor_scene.h"
#include "threads/engine/executors.h"
#include "threads/files/begin_upload.h"
#include "threads/files/move_file.h"
#include "threads/files/sweep_file.h"

namespace parley::features {
namespace {

using namespace threads;
using testing::ElementsAre;
using testing::StartsWith;

constexpr int64_t kDay = int64_t{24} * 3600 * 1000;

class UploadQuotasTest : public testing::Test, private AnswerSink, private ChangeSink {
 protected:
  UploadQuotasTest() {
    rules_.per_user_per_day_bytes = 1000;
    rules_.per_user_per_day_count = 5;
    rules_.concurrent_per_user = 3;
    rules_.tenant_bytes = 1500;
    Open();
    for (int n = 0; threads_[0].empty() || threads_[1].empty(); ++n) {
      const Answer made = Run(JobFrom(CallFrom(
          "ann thread.create kind=project buyerUserId=ann sellerUserId=bob clientId=c" + std::to_string(n),
          names_)));
      if (!made.ok()) throw std::runtime_error(ErrorText(made.error()));
      const ThreadId thread = *ThreadId::FromText(Pick(*made, "thread.threadId", names_));
      threads_[ShardOf(thread, 2)].push_back(thread);
    }
  }
  ~UploadQuotasTest() override { Close(); }

  void Open(size_t executors = 2) {
    table_ = storage::OpenMemoryTable(disk_);
    committer_ = std::make_unique<storage::Committer>(*table_);
    quotas_ = std::make_unique<UploadQuotas>();
    metrics_ = std::make_unique<protocol::Metrics>();
    ids_ = protocol::NewSeededIdSource(++opened_);
    const auto checks = std::make_shared<Checks>();
    checks->Add<FileCharge>([this](const CheckInput& input, const FileCharge& charge, Charge::Answer* taken) {
      return quotas_->Take(input, rules_, charge, taken);
    });
    ExecutorSettings settings;
    settings.checks = checks;
    executors_.reset(
        new Executors(executors, *table_, *committer_, clock_, *ids_, settings, *this, *this, *metrics_));
    for (size_t i = 0; i < executors; ++i) running_.emplace_back([this, i] { executors_->Run(i); });
  }
  void Close() {
    executors_->Stop();
    for (std::thread& thread : running_) thread.join();
    running_.clear();
    executors_.reset();
  }
  void Restart(size_t executors = 2) {
    Close();
    Open(executors);
  }

  // Any thread.
  Answer Run(Job job) {
    std::promise<Answer> answer;
    job.done = [&](Answer one) { answer.set_value(std::move(one)); };
    executors_->Submit(std::move(job));
    return answer.get_future().get();
  }
  struct Upload {
    ThreadId thread;
    AttachmentId id;
  };
  // "ok", or the error with its limit and what is left.
  static std::string TextOf(const Answer& answer) {
    if (answer.ok()) return "ok";
    std::string out(protocol::Describe(answer.error().code).name);
    for (const auto& [name, value] : answer.error().fields) out += " " + value;
    return out;
  }
  AttachmentId NextId() {
    const protocol::MutexLock lock(&mutex_);
    return {upload_ids_->Make(clock_.Now())};
  }
  std::string Begin(const char* user, int64_t size, size_t executor = 0, Upload* begun = nullptr) {
    UploadWish wish;
    wish.thread = threads_[executor].front();
    wish.id = NextId();
    wish.name.value = "a.pdf";
    wish.mime.value = "application/pdf";
    wish.size = size;
    wish.thread_bytes_max = 1'000'000;
    Caller caller;
    caller.tenant = tenant_;
    caller.user = UserId{user};
    Job job;
    job.tenant = tenant_;
    job.thread = wish.thread;
    job.decide = [caller, wish](Transaction& tx) { return BeginUpload(tx, caller, wish); };
    const Answer answer = Run(std::move(job));
    if (begun) *begun = {wish.thread, wish.id};
    if (!answer.ok()) retry_ms_ = answer.error().retry_after_ms.value_or(0);
    return TextOf(answer);
  }
  std::string Move(const Upload& upload, FileState to, int64_t size = 0) {
    FileMove move;
    move.thread = upload.thread;
    move.id = upload.id;
    move.to = to;
    move.scanned = to == FileState::kReady;
    if (to == FileState::kScanning)
      move.stored = StoredFile{{std::string(64, 'a')}, {std::string(64, 'a')}, size};
    Job job;
    job.tenant = tenant_;
    job.thread = move.thread;
    job.decide = [tenant = tenant_, move](Transaction& tx) { return MoveFile(tx, tenant, move); };
    return TextOf(Run(std::move(job)));
  }
  std::string Sweep(const Upload& upload) {
    const auto row = ReadFile(RowReader(*table_, tenant_), upload.thread, upload.id).value();
    const FileSweep sweep{{row->due_at.value.value_or(clock_.Now()), upload.thread, upload.id}, {}};
    Job job;
    job.tenant = tenant_;
    job.thread = upload.thread;
    job.decide = [tenant = tenant_, sweep](Transaction& tx) { return SweepFile(tx, tenant, sweep); };
    return TextOf(Run(std::move(job)));
  }
  // "uploads of the day, their bytes, incomplete ones; bytes of the tenant", as on disk.
  std::string Counts(const char* user) {
    using accounts::Counted;
    const auto mine =
        accounts::ReadQuota(*table_, accounts::QuotaSubject::OfUploads(tenant_, UserId{user})).value();
    const auto all = accounts::ReadQuota(*table_, accounts::QuotaSubject::OfFiles(tenant_)).value();
    const auto sum = [&](const accounts::QuotaRow& row, Counted what) {
      const bool level = what == Counted::kOpenUploads || what == Counted::kStoredBytes;
      return std::to_string(row.Of(what).Sum(clock_.Now().ms, level ? accounts::kForeverMs : kDay));
    };
    return sum(mine, Counted::kUploads) + " " + sum(mine, Counted::kUploadBytes) + " " +
           sum(mine, Counted::kOpenUploads) + "; " + sum(all, Counted::kStoredBytes);
  }

  // The differences that verify finds between the rows of uploads and their counts.
  std::vector<std::string> Verify() {
    std::vector<std::string> out;
    const std::function<void(const std::string&)> differs = [&](const std::string& what) {
      out.push_back(what);
    };
    const fanout::VerifyInput input{*table_, *table_, differs};
    const auto check = facts::MakeQuotaFacts();
    for (const std::vector<ThreadId>& of_executor : threads_) {
      for (const ThreadId& thread : of_executor) check->OnThread(input, FactsOf(thread));
    }
    EXPECT_TRUE(check->CheckRows(input, nullptr).ok());
    return out;
  }
  // Writes a row as a fault of the disk would.
  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort, std::string payload) {
    storage::CommitRequest request;
    request.partition = partition;
    request.writes.push_back({sort, storage::Row{1, std::move(payload)}});
    std::vector<storage::CommitResult> results;
    ASSERT_TRUE(table_->Commit({&request, 1}, &results).ok());
  }

  const TenantId tenant_{"demo"};
  FileRules rules_;
  FakeClock clock_;
  std::vector<ThreadId> threads_[2];  // by executor
  std::unique_ptr<storage::MemoryTable> table_;
  std::atomic<int64_t> retry_ms_ = 0;  // from the last refusal

 private:
  fanout::ThreadFacts FactsOf(const ThreadId& thread) {
    fanout::ThreadFacts out;
    out.tenant = tenant_;
    out.thread = thread;
    const auto add = [&](std::string_view sort, storage::RowView row) {
      fanout::AddRow(std::string(sort), row.payload, &out);
      return true;
    };
    EXPECT_TRUE(table_
                    ->Scan(ThreadPartition(tenant_, thread), storage::SortRange::All(),
                           storage::Direction::kForward, SIZE_MAX, add)
                    .ok());
    fanout::Arrange(&out);
    return out;
  }
  void OnAnswers(std::vector<Finished> finished) override {
    for (Finished& one : finished) one.done(std::move(one.answer));
  }
  void OnCommitted(std::vector<CommittedChangePtr>) override {}

  const std::shared_ptr<storage::MemoryDisk> disk_ =
      storage::NewMemoryDisk({"ep_test", std::string(32, 's')});
  Names names_;
  uint64_t opened_ = 0;
  protocol::Mutex mutex_;
  const std::unique_ptr<protocol::IdSource> upload_ids_ GUARDED_BY(mutex_) = protocol::NewSeededIdSource(99);
  std::unique_ptr<protocol::IdSource> ids_;
  std::unique_ptr<storage::Committer> committer_;
  std::unique_ptr<UploadQuotas> quotas_;
  std::unique_ptr<protocol::Metrics> metrics_;
  std::unique_ptr<Executors> executors_;
  std::vector<std::thread> running_;
};

TEST_F(UploadQuotasTest, the_days_bytes_are_allowed_to_the_last_one) {
  EXPECT_EQ(Begin("ann", 600), "ok");
  EXPECT_EQ(Begin("ann", 401, 1), "RATE_LIMITED perUserPerDayBytes 400");
  EXPECT_GT(retry_ms_, 0);
  EXPECT_LE(retry_ms_, kDay);
  EXPECT_EQ(Begin("ann", 400, 1), "ok");
  EXPECT_EQ(Begin("ann", 1), "RATE_LIMITED perUserPerDayBytes 0");
  EXPECT_EQ(Begin("bob", 500), "ok") << "another user";
  EXPECT_EQ(Counts("ann"), "2 1000 2; 1500");
  EXPECT_EQ(Counts("bob"), "1 500 1; 1500");
}

TEST_F(UploadQuotasTest, a_user_has_a_number_of_incomplete_uploads) {
  Upload last;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Begin("ann", 10, static_cast<size_t>(i % 2), &last), "ok");
  EXPECT_EQ(Begin("ann", 10, 1), "RATE_LIMITED concurrentPerUser 0");
  EXPECT_GT(retry_ms_, 0);
  EXPECT_EQ(Move(last, FileState::kUploading), "ok");
  EXPECT_EQ(Begin("ann", 10, 1), "RATE_LIMITED concurrentPerUser 0");
  EXPECT_EQ(Move(last, FileState::kScanning, 10), "ok");
  EXPECT_EQ(Begin("ann", 10, 1), "ok");
  EXPECT_EQ(Begin("bob", 10), "ok");
  EXPECT_EQ(Counts("ann"), "4 40 3; 50");
}

TEST_F(UploadQuotasTest, a_cancelled_upload_counts_for_the_days_number_and_not_for_its_bytes) {
  for (int i = 0; i < 5; ++i) {
    Upload upload;
    EXPECT_EQ(Begin("ann", 1000, static_cast<size_t>(i % 2), &upload), "ok");
    EXPECT_EQ(Move(upload, FileState::kCancelled), "ok");
    EXPECT_EQ(Move(upload, FileState::kCancelled), "ok") << "again";
  }
  EXPECT_EQ(Counts("ann"), "5 0 0; 0");
  EXPECT_EQ(Begin("ann", 1), "RATE_LIMITED perUserPerDayCount 0");
  EXPECT_GT(retry_ms_, 0);
  clock_.Advance(kDay);
  EXPECT_EQ(Begin("ann", 1000), "ok");
  EXPECT_EQ(Counts("ann"), "1 1000 1; 1000");
}

TEST_F(UploadQuotasTest, a_failed_upload_counts_for_the_days_number_and_not_for_its_bytes) {
  Upload upload;
  EXPECT_EQ(Begin("ann", 1000, 0, &upload), "ok");
  EXPECT_EQ(Move(upload, FileState::kFailed), "ok");
  EXPECT_EQ(Counts("ann"), "1 0 0; 0");
  Upload late;
  EXPECT_EQ(Begin("ann", 900, 0, &late), "ok");
  EXPECT_EQ(Move(late, FileState::kScanning, 800), "ok");
  EXPECT_EQ(Move(late, FileState::kFailed), "ok");
  EXPECT_EQ(Counts("ann"), "2 0 0; 0") << "its declared size is given back";
}

TEST_F(UploadQuotasTest, the_tenant_has_room_for_all_files_to_the_last_byte) {
  Upload stored;
  EXPECT_EQ(Begin("ann", 900, 0, &stored), "ok");
  EXPECT_EQ(Begin("bob", 601, 1), "ATTACHMENT_TOO_LARGE tenantBytes 600");
  EXPECT_EQ(Counts("bob"), "0 0 0; 900") << "a refused upload leaves nothing";
  EXPECT_EQ(Begin("bob", 600, 1), "ok");
  EXPECT_EQ(Begin("bob", 1), "ATTACHMENT_TOO_LARGE tenantBytes 0");
  EXPECT_EQ(Move(stored, FileState::kScanning, 850), "ok");
  EXPECT_EQ(Counts("ann"), "1 900 0; 1450") << "the stored size counts";
  rules_.tenant_bytes = std::nullopt;
  EXPECT_EQ(Begin("bob", 100), "ok");
}

TEST_F(UploadQuotasTest, expired_and_removed_files_give_back_the_tenants_room) {
  Upload expired, unsent;
  EXPECT_EQ(Begin("ann", 100, 0, &expired), "ok");
  EXPECT_EQ(Begin("ann", 200, 1, &unsent), "ok");
  EXPECT_EQ(Move(unsent, FileState::kScanning, 200), "ok");
  EXPECT_EQ(Move(unsent, FileState::kReady), "ok");
  EXPECT_EQ(Counts("ann"), "2 300 1; 300");
  clock_.Advance(kDay);
  EXPECT_EQ(Sweep(expired), "ok");
  EXPECT_EQ(Counts("ann"), "0 0 0; 200");
  EXPECT_EQ(Sweep(unsent), "ok");
  EXPECT_EQ(Counts("ann"), "0 0 0; 0");
}

TEST_F(UploadQuotasTest, a_restart_with_any_number_of_executors_keeps_all_counts) {
  Upload one, two;
  EXPECT_EQ(Begin("ann", 300, 0, &one), "ok");
  EXPECT_EQ(Begin("ann", 300, 1, &two), "ok");
  EXPECT_EQ(Begin("ann", 300, 1), "ok");
  Restart();
  EXPECT_EQ(Begin("ann", 1), "RATE_LIMITED concurrentPerUser 0");
  Restart(1);
  EXPECT_EQ(Move(one, FileState::kCancelled), "ok");
  EXPECT_EQ(Move(two, FileState::kCancelled), "ok");
  EXPECT_EQ(Counts("ann"), "3 300 1; 300");
  Restart(2);
  EXPECT_EQ(Begin("ann", 701), "RATE_LIMITED perUserPerDayBytes 700");
  EXPECT_EQ(Begin("ann", 700), "ok");
  EXPECT_EQ(Counts("ann"), "4 1000 2; 1000");
}

TEST_F(UploadQuotasTest, settings_that_change_apply_to_the_next_upload) {
  rules_.concurrent_per_user = 1;
  EXPECT_EQ(Begin("ann", 10), "ok");
  EXPECT_EQ(Begin("ann", 10), "RATE_LIMITED concurrentPerUser 0");
  rules_.concurrent_per_user = 2;
  EXPECT_EQ(Begin("ann", 10), "ok");
}

TEST_F(UploadQuotasTest, verify_accepts_the_counts_of_uploads_and_finds_others) {
  Upload upload;
  EXPECT_EQ(Begin("ann", 100, 0, &upload), "ok");
  EXPECT_EQ(Begin("bob", 200, 1), "ok");
  EXPECT_EQ(Move(upload, FileState::kScanning, 90), "ok");
  EXPECT_THAT(Verify(), testing::IsEmpty());
  using accounts::QuotaSubject;
  accounts::QuotaRow other;
  other.open_uploads.Add(0, 4);
  const auto uploads = accounts::QuotaPartition(QuotaSubject::OfUploads(tenant_, UserId{"ann"}));
  Plant(uploads, accounts::QuotaKey(7), accounts::EncodeQuota(other));
  EXPECT_THAT(Verify(), ElementsAre("demo ann: the quota counts 4 incomplete uploads, there are 0"));
  Plant(uploads, accounts::QuotaKey(7), accounts::EncodeQuota({}));
  other = {};
  other.stored_bytes.Add(0, 5);
  Plant(accounts::QuotaPartition(QuotaSubject::OfFiles(tenant_)), accounts::QuotaKey(7),
        accounts::EncodeQuota(other));
  EXPECT_THAT(Verify(), ElementsAre("demo: the quota counts 295 bytes of files, its files have 290"));
}

// Two users begin from eight threads at once in conversations of both executors.
TEST_F(UploadQuotasTest, limits_are_exact_under_concurrency) {
  rules_.concurrent_per_user = 100;
  rules_.per_user_per_day_count = 10'000;
  rules_.per_user_per_day_bytes = 407;
  rules_.tenant_bytes = 700;
  std::atomic<int64_t> accepted[2] = {0, 0};
  std::vector<std::thread> clients;
  for (size_t client = 0; client < 8; ++client) {
    clients.emplace_back([&, client] {
      for (int i = 0; i < 60; ++i) {
        if (Begin(client % 2 == 0 ? "ann" : "bob", 7, client / 2 % 2) == "ok") accepted[client % 2] += 7;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(accepted[0] + accepted[1], 700);
  EXPECT_LE(std::max(accepted[0], accepted[1]), 406);
  Restart();
  EXPECT_THAT(Counts("ann"), testing::EndsWith("; 700"));
  EXPECT_THAT(Begin("bob", 7),
              testing::AnyOf(StartsWith("RATE_LIMITED"), StartsWith("ATTACHMENT_TOO_LARGE")));
}

TEST_F(UploadQuotasTest, uploads_that_begin_and_end_at_once_never_exceed_the_level) {
  rules_.per_user_per_day_count = 10'000;
  rules_.per_user_per_day_bytes = 1'000'000;
  std::atomic<int> open = 0, most = 0;
  std::vector<std::thread> clients;
  for (size_t client = 0; client < 6; ++client) {
    clients.emplace_back([&, client] {
      for (int i = 0; i < 40; ++i) {
        Upload upload;
        if (Begin("ann", 5, client % 2, &upload) != "ok") continue;
        const int now_open = ++open;
        for (int seen = most; now_open > seen && !most.compare_exchange_weak(seen, now_open);) continue;
        --open;
        EXPECT_EQ(Move(upload, i % 2 == 0 ? FileState::kCancelled : FileState::kFailed), "ok");
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_LE(most, 3);
  EXPECT_THAT(Counts("ann"), testing::EndsWith(" 0; 0"));
}

}  // namespace
}  // namespace parley::features
