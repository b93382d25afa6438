// Uploads that messages send.
#include "threads/files/attach.h"

#include "tests/threads/files/file_scene.h"

namespace parley::threads {
namespace {

using enum FileState;

TEST(SendUploads, a_member_sends_uploads_of_their_own_in_this_thread_once) {
  FileScene files;
  files.scene.Do("buyer participant.add userId=carol");
  files.scene.Do("buyer thread.create");
  files.Given("buyer", "F1", kReady);
  files.Given("seller", "F2", kReady);
  EXPECT_EQ(files.Send("seller", "F1"), "NOT_FOUND") << "of another member";
  EXPECT_EQ(files.Send("buyer", "F9"), "NOT_FOUND") << "of nobody";
  EXPECT_EQ(files.Send("buyer", "F1,F2"), "NOT_FOUND") << "one of another member";
  EXPECT_EQ(files.scene.Do("buyer message.send threadId=T2 type=asset body='' clientId=other "
                           "attachments=[{\"attachmentId\":\"F1\"}]"),
            "NOT_FOUND")
      << "of another thread";
  files.Received();
  EXPECT_EQ(files.Send("buyer", "F1"), "ok");
  EXPECT_EQ(files.Received(), "T 5 message.created M1 buyer '' asset files=1\n");
  EXPECT_EQ(files.File("F1"), "ready 10 M1");
  EXPECT_EQ(files.Dues(), "F2 24");
  EXPECT_EQ(files.Send("buyer", "F1"), "NOT_FOUND") << "sent before";
  EXPECT_EQ(files.Bytes(), 20);
}

TEST(SendUploads, an_upload_can_be_sent_from_the_last_byte_on) {
  const std::pair<FileState, std::string_view> rows[] = {
      {kRequested, "ACTION_INVALID_STATE"},
      {kUploading, "ACTION_INVALID_STATE"},
      {kScanning, "ok"},
      {kReady, "ok"},
      {kQuarantined, "UPLOAD_QUARANTINED"},
      {kFailed, "UPLOAD_QUARANTINED"},
      {kCancelled, "ACTION_INVALID_STATE"},
      {kRemoved, "NOT_FOUND"},
  };
  for (const auto& [state, then] : rows) {
    SCOPED_TRACE(protocol::NameOf(state));
    FileScene files;
    files.Given("buyer", "F1", state);
    EXPECT_EQ(files.Send("buyer", "F1"), then);
    const auto row = ReadFile(files.scene.Rows(), files.Thread(), UploadNamed("F1")).value();
    EXPECT_EQ(row->message_id.has_value(), then == "ok");
    if (then == "ok") {
      EXPECT_EQ(files.Shown("M1"), protocol::NameOf(state));
    }
  }
}

TEST(SendUploads, a_repeat_is_answered_by_the_first_message) {
  FileScene files;
  files.Given("buyer", "F1", kReady);
  const std::string sent =
      "buyer message.send type=asset body='' clientId=c attachments=[{\"attachmentId\":\"F1\"}]";
  EXPECT_EQ(files.scene.Do(sent), "ok");
  EXPECT_EQ(files.scene.Do(sent), "duplicate");
}

TEST(SendUploads, errors_of_the_caller_come_before_those_of_the_upload) {
  FileScene files;
  files.scene.Do("buyer participant.add userId=carol permission=read");
  EXPECT_EQ(files.Send("carol", "F9"), "FORBIDDEN");
  EXPECT_EQ(files.Send("dave", "F9"), "THREAD_NOT_MEMBER");
  files.scene.Do("ann(admin) thread.setStatus status=locked reason=r");
  EXPECT_EQ(files.Send("buyer", "F9"), "THREAD_LOCKED");
}

TEST(SendUploads, a_reference_names_one_upload_or_one_manifest) {
  FileScene files;
  files.Given("buyer", "F1", kReady);
  const auto send = [&](const std::string& by, const std::string& attachments) {
    return files.scene.Do(by + " message.send type=asset body='' clientId=" + FreshClientId() +
                          " attachments=[" + attachments + "]");
  };
  const std::string bad = "BAD_REQUEST attachments";
  EXPECT_EQ(send("buyer", "{}"), bad);
  EXPECT_EQ(send("buyer", R"({"attachmentId":"F1","manifestRef":"https://a.example/m"})"), bad);
  EXPECT_EQ(send("buyer", R"({"attachmentId":"F1"},{"attachmentId":"F1"})"), bad);
  EXPECT_EQ(send("buyer", R"({"s3Key":"k"})"), bad);
  EXPECT_EQ(send("buyer", R"({"attachmentId":"F1","nsfwBand":0})"), bad);
  EXPECT_EQ(send("buyer", R"({"attachmentId":"F1","w":1})"), bad);
  EXPECT_EQ(send("buyer", R"({"manifestRef":"m"})"), bad);
  EXPECT_EQ(send("buyer", R"({"manifestRef":"https://a.example/m","mime":"text/html"})"), "ok");
  EXPECT_EQ(send("service(buyer)", R"({"s3Key":"k","w":1,"h":2,"nsfwBand":2})"), "ok");
  EXPECT_EQ(send("service(buyer)", R"({"attachmentId":"F1"})"), "ok");
}

TEST(SendUploads, the_band_of_an_upload_is_that_of_its_message) {
  FileScene files;
  files.Given("buyer", "F1", kReady);
  FileMove judged = files.MoveTo("F1", kReady);
  judged.band = 1;
  EXPECT_EQ(files.Move(judged), "ok");
  EXPECT_EQ(files.scene.Do("buyer message.send type=asset body='' clientId=c nsfwBand=0 "
                           "attachments=[{\"attachmentId\":\"F1\"}]"),
            "BAD_REQUEST nsfwBand");
  EXPECT_EQ(files.Send("buyer", "F1"), "ok");
  EXPECT_EQ(files.BandOfMessage("M1"), 1);
}

}  // namespace
}  // namespace parley::threads
