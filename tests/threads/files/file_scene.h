// Uploads in a thread T between buyer and seller, over an executor: commands as the features post them, rows
// as texts. Times are in hours since the scene began, or "first" if the scanner is due.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "tests/threads/executor_scene.h"
#include "threads/files/begin_upload.h"
#include "threads/files/condemn.h"
#include "threads/files/file_upkeep.h"
#include "threads/files/move_file.h"
#include "threads/files/sweep_file.h"
#include "threads/model/message_row.h"

namespace parley::threads {

inline constexpr int64_t kHourInMs = 3'600'000;

// The id of the upload F1, F2 … F9.
inline AttachmentId UploadNamed(const std::string& name) {
  return *AttachmentId::FromText("att_01h0000000000000000000000" + name.substr(1));
}

inline UploadWish WishFor(const ThreadId& thread, const std::string& name, int64_t size) {
  UploadWish wish;
  wish.thread = thread;
  wish.id = UploadNamed(name);
  wish.name = protocol::Text<255>{name + ".png"};
  wish.mime = protocol::Text<127>{"image/png"};
  wish.size = size;
  wish.thread_bytes_max = 1000;
  return wish;
}

class FileScene {
 public:
  FileScene() : FileScene(std::make_unique<ExecutorScene>()) {}
  // With an executor that `executor` owns.
  explicit FileScene(ExecutorScene& executor) : scene(executor) {
    scene.Do("buyer thread.create");
    for (int i = 1; i <= 9; ++i) {
      const std::string name = "F" + std::to_string(i);
      scene.names.Put(name, UploadNamed(name).ToText());
    }
  }

  // Runs a decision in T. The outcome is "ok" or the error; the reply stays in `reply`.
  std::string Run(std::function<Result<Decision>(Transaction&)> decide);
  std::string Begin(const std::string& by, const std::string& name, int64_t size = 10) {
    return Run([wish = WishFor(Thread(), name, size), caller = CallerFrom(by)](Transaction& tx) {
      return BeginUpload(tx, caller, wish);
    });
  }
  FileMove MoveTo(const std::string& name, FileState to);
  std::string Move(const FileMove& move) {
    return Run([move](Transaction& tx) { return MoveFile(tx, Tenant(), move); });
  }
  std::string Move(const std::string& name, FileState to) { return Move(MoveTo(name, to)); }
  // Begins an upload and brings it into the state.
  void Given(const std::string& by, const std::string& name, FileState state, int64_t size = 10);
  // "ok" or the error. The message is the next one: M1, M2 …
  std::string Send(const std::string& by, const std::string& names) {
    std::string list;
    for (const std::string& name : SplitText(names, ','))
      list += (list.empty() ? "{\"attachmentId\":\"" : ",{\"attachmentId\":\"") + name + "\"}";
    return scene.Do(by + " message.send type=asset body='' clientId=" + FreshClientId() + " attachments=[" +
                    list + "]");
  }
  // Looks after everything that is due, as the clock does: "F1 gone blob; F2 scans; F3 stays". `touched`:
  // when the last byte of an upload came.
  std::string Sweep();
  std::map<std::string, Time> touched;

  // Writes a FILEDUE# row for now, as a command leaves one of a file that its message no longer shows.
  void WriteDue(const std::string& name);

  // "ready 10 M1 card=M2 tab=files band=1 due=24": state, size, message, cards, tabs, band, scanner's word,
  // "unscanned", "condemned", FILEDUE# row; "none".
  std::string File(const std::string& name) const;
  // "F1 24; F2 48": the FILEDUE# rows in order.
  std::string Dues() const;
  // The uploads that need the bytes: "F1 F2".
  std::string Needed(const std::string& blob) const;
  // The reason for which the bytes are condemned; "none".
  std::string Marked(const std::string& blob) const;
  // Brings the uploads in line with the mark of their bytes, one after another, as the clock does; then ends
  // the work on all marks.
  std::string SpreadsTo(const std::string& names);
  void EndSpreads();
  // The uploads as a message shows them: "ready; quarantined band=2".
  std::string Shown(const std::string& message) const;
  int64_t BandOfMessage(const std::string& message) const { return MessageNamed(message).item.nsfw_band; }
  int64_t Bytes() const { return scene.Rows().Thread(Thread()).value()->hidden.file_bytes.value.value_or(0); }
  MessageRow MessageNamed(const std::string& name) const {
    return *scene.Rows().Message(Thread(), *MessageId::FromText(scene.names.IdOf(name))).value();
  }
  // The events since the last call.
  std::string Received() {
    std::string out = scene.Received();
    scene.changes.clear();
    return out;
  }
  void AdvanceHours(int64_t hours) { scene.clock.Advance(hours * kHourInMs); }

  static TenantId Tenant() { return TenantId{"demo"}; }
  ThreadId Thread() const { return scene.ThreadNamed("T"); }
  // The name of stored bytes in which one character repeats.
  static std::string BlobOf(char c) { return std::string(64, c); }
  // The bytes of an upload that Given stores: F1 has BlobOf('1').
  static std::string BlobOf(const std::string& name) { return BlobOf(name.back()); }

  ExecutorScene& scene;
  std::string reply;
  Error error;  // the last rejected decision's

 private:
  explicit FileScene(std::unique_ptr<ExecutorScene> own) : FileScene(*own) { own_ = std::move(own); }
  std::string HoursOf(Time at) const {
    return at == kScanningDue ? "first" : std::to_string((at.ms - began_.ms) / kHourInMs);
  }
  std::vector<std::string> KeysOf(const storage::PartitionKey& partition) const;

  std::unique_ptr<ExecutorScene> own_;
  const Time began_ = scene.clock.Now();
};

}  // namespace parley::threads
