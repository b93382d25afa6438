#include "threads/files/begin_upload.h"

#include "tests/threads/files/file_scene.h"
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

std::string BeginOutcome(Scene& scene, std::string_view by) {
  const auto decided = BeginUpload(scene, CallerFrom(by), WishFor(scene.ThreadNamed("T"), "F1", 10));
  return decided.ok() ? "ok" : ErrorText(decided.error());
}

TEST(BeginUpload, only_members_who_may_send_files_begin_uploads) {
  struct Row {
    std::string_view given, by, then;
  };
  const Row rows[] = {
      {"", "buyer", "ok"},
      {"", "service(buyer)", "ok"},
      {"", "carol", "THREAD_NOT_MEMBER"},
      {"", "buyer@acme", "THREAD_NOT_MEMBER"},
      {"", "service", "FORBIDDEN"},
      {"", "ann(admin)", "FORBIDDEN"},
      {"buyer participant.add userId=carol permission=read", "carol", "FORBIDDEN"},
      {"buyer participant.add userId=carol permission=files", "carol", "ok"},
      {"buyer participant.add userId=carol permission=write", "carol", "ok"},
      {"buyer participant.add userId=carol; buyer participant.remove userId=carol", "carol",
       "THREAD_NOT_MEMBER"},
      {kLocked, "buyer", "THREAD_LOCKED"},
      {"ann(admin) thread.setStatus status=archived reason=r", "buyer", "THREAD_ARCHIVED"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE("given '" + std::string(row.given) + "' by " + std::string(row.by));
    Scene scene;
    scene.Given("buyer thread.create");
    scene.Given(row.given);
    EXPECT_EQ(BeginOutcome(scene, row.by), row.then);
  }
}

TEST(BeginUpload, a_barrier_to_messages_is_one_to_uploads) {
  Scene scene;
  scene.Given("buyer thread.create");
  scene.blocks.insert({"seller", "buyer"});
  EXPECT_EQ(BeginOutcome(scene, "buyer"), "MSG_BLOCKED_BY_USER");
  EXPECT_EQ(BeginOutcome(scene, "seller"), "MSG_BLOCKED_BY_USER");
  scene.blocks.clear();
  scene.sanctions["buyer"] = {protocol::UserState::kMuted, std::nullopt};
  EXPECT_EQ(BeginOutcome(scene, "buyer"), "FORBIDDEN");
  EXPECT_EQ(BeginOutcome(scene, "seller"), "ok");
  scene.sanctions["buyer"] = {protocol::UserState::kShadow, std::nullopt};
  EXPECT_EQ(BeginOutcome(scene, "buyer"), "ok") << "they do not notice";
  scene.messaging = Messaging::kReadOnly;
  EXPECT_EQ(BeginOutcome(scene, "seller"), "UNAVAILABLE");
}

TEST(BeginUpload, a_pending_request_admits_its_message_but_no_upload) {
  Scene scene;
  scene.tenant_policy.requests.enabled = true;
  scene.Given("buyer thread.create kind=inquiry");
  EXPECT_EQ(BeginOutcome(scene, "buyer"), "MSG_GATE_REQUIRED");
  EXPECT_EQ(BeginOutcome(scene, "seller"), "MSG_GATE_REQUIRED");
}

TEST(BeginUpload, the_row_and_its_surroundings_are_one_commit) {
  FileScene files;
  EXPECT_EQ(files.Begin("buyer", "F1", 10), "ok");
  EXPECT_EQ(Pick(files.reply, "attachment.state", files.scene.names), "requested");
  EXPECT_EQ(Pick(files.reply, "attachment.by", files.scene.names), "buyer");
  EXPECT_EQ(files.File("F1"), "requested 10 due=24");
  EXPECT_EQ(files.Dues(), "F1 24");
  EXPECT_EQ(files.Bytes(), 10);
  files.scene.Restart();
  EXPECT_EQ(files.File("F1"), "requested 10 due=24");
  EXPECT_EQ(files.Bytes(), 10);
}

TEST(BeginUpload, the_sizes_of_uploads_fill_the_thread_exactly) {
  FileScene files;
  EXPECT_EQ(files.Begin("buyer", "F1", 600), "ok");
  EXPECT_EQ(files.Begin("seller", "F2", 401), "ATTACHMENT_TOO_LARGE limit left");
  EXPECT_EQ(files.error.fields[0].second, "perThreadBytes");
  EXPECT_EQ(files.error.fields[1].second, "400");
  EXPECT_EQ(files.File("F2"), "none");
  EXPECT_EQ(files.Begin("seller", "F2", 400), "ok");
  EXPECT_EQ(files.Begin("buyer", "F3", 1), "ATTACHMENT_TOO_LARGE limit left");
  EXPECT_EQ(files.error.fields[1].second, "0");
  EXPECT_EQ(files.Bytes(), 1000);
  EXPECT_EQ(files.Move("F1", FileState::kCancelled), "ok");
  EXPECT_EQ(files.Begin("buyer", "F3", 600), "ok");
}

TEST(BeginUpload, uploads_of_one_batch_share_the_room) {
  FileScene files;
  std::string outcomes;
  for (const char* name : {"F1", "F2", "F3", "F4"}) {
    Job job;
    job.tenant = FileScene::Tenant();
    job.thread = files.Thread();
    job.decide = [wish = WishFor(files.Thread(), name, 300)](Transaction& tx) {
      return BeginUpload(tx, CallerFrom("buyer"), wish);
    };
    job.done = [&](const Answer& answer) { outcomes += answer.ok() ? "+" : "-"; };
    files.scene.executor->Submit(std::move(job));
  }
  files.scene.Step();
  EXPECT_EQ(outcomes, "+++-");
  EXPECT_EQ(files.Bytes(), 900);
}

}  // namespace
}  // namespace parley::threads
