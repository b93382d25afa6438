// People who upload files in the simulation, in a tenant with small quotas: they begin uploads, complete and
// cancel them, send them with messages, and delete these; a scanner passes files or finds something, staff
// withhold and redact. They play the commands of threads/files/ and of messages. The bytes are small files in
// the real store. They have their own source of chance.
//
// The oracle knows each upload as the last answer left it, and as the outstanding command would leave it. It
// has its own table of the states and its own sums of the quotas.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/sim/process_support.h"
#include "threads/files/move_file.h"

namespace parley::sim {

struct UploadCounts {
  size_t runs = 0;
  size_t begun = 0, completed = 0, cancelled = 0, passed = 0, found = 0, released = 0;  // acknowledged
  size_t sent = 0, deleted = 0, redacted = 0, withheld = 0;                             // likewise
  size_t refused = 0;            // moves that the states do not allow
  size_t full = 0;               // uploads that a quota refused, as expected
  size_t looks = 0, hidden = 0;  // files looked at, and those that were not shown
  size_t swept = 0;              // rows that the clock removed

  void operator+=(const UploadCounts& other);
};

class Uploaders {
 public:
  Uploaders(uint64_t seed, std::vector<std::string>* complaints);
  ~Uploaders();

  // The folder of the stored bytes, which survives crashes as a disk does.
  std::string folder() const { return folder_.string(); }
  // Creates the tenant and its threads. REQUIRES: no fault is planted.
  void Found(Process& process);
  void Work(Process& process);  // does something or nothing
  void ProcessGone();           // outstanding answers will not come
  // Compares every upload and message with its rows. REQUIRES: the process is at rest.
  void Check(Process& process, const char* when);
  // The same after days without requests: uploads that nobody sent are gone.
  void Finish(Process& process);
  const UploadCounts& counts() const { return counts_; }

 private:
  // What a row says.
  struct Facts {
    std::optional<threads::FileState> state;  // nullopt: there is no row
    std::string blob;
    int64_t size = 0;
    std::string message;  // "?": one whose id was not answered
    bool by_scanner = false;
    bool judged = false;  // its band is 0; otherwise unknown
    bool operator==(const Facts&) const = default;
  };
  struct Upload {
    threads::AttachmentId id;
    size_t thread = 0, by = 0;
    int64_t begun_ms = 0;
    int64_t lives_from_ms = 0;  // the earliest time by the wall clock at which it can have begun
    // For the day's quota: whether it began, and whether it was cancelled or failed: certainly, and perhaps.
    bool counts = false, may_count = true, brought_nothing = false, may_bring_nothing = false;
    int64_t declared = 0;
    Facts now;
    std::optional<Facts> candidate;  // as the outstanding command, or one of unknown outcome, would leave it
    bool busy = false;
    bool settled() const { return !busy && !candidate; }
  };
  enum class Show : uint8_t { kShown, kWithheld, kGone };
  struct Message {
    std::string id;
    size_t thread = 0, by = 0;
    Show show = Show::kShown;
    std::optional<Show> candidate;
    bool busy = false;
  };
  struct Room {
    protocol::ThreadId id;
    std::vector<size_t> members;
  };
  struct Lack {
    std::string limit;
    int64_t left;
  };
  enum class Act : uint8_t { kAppend, kComplete, kFail, kCancel, kPass, kFind, kHold, kRelease, kFree };
  static constexpr size_t kActs = 9;
  using Done = std::function<void(const threads::Answer&)>;

  // --- uploads
  void Begin(Process& process);
  void OnBegun(Process& process, Upload* upload, const threads::Answer& answer, int64_t asked_ms);
  void JudgeBegun(const Upload& upload, const std::vector<Lack>& certain, const std::vector<Lack>& possible,
                  const threads::Answer& answer);
  Upload* PickOne();
  void Move(Process& process);
  std::optional<Facts> After(const Facts& facts, Act act, const std::string& blob) const;
  threads::FileMove MoveFor(const Upload& upload, Act act, const std::string& blob) const;
  void OnMoved(Upload* upload, Act act, const std::optional<Facts>& after, const threads::Answer& answer);
  void Count(Act act);
  std::string PutBytes(Process& process);
  // --- messages
  void Send(Process& process);
  void OnSent(const std::vector<Upload*>& uploads, Message* message, const std::string& expected,
              const threads::Answer& answer);
  std::string RefusalOf(const std::vector<Upload*>& uploads, size_t by, size_t thread) const;
  void ChangeMessage(Process& process);
  void Look(Process& process);
  std::string ExpectedView(const Upload& upload, bool judged, size_t user) const;
  void Ask(Process& process, const threads::Caller& caller, const char* op, const std::string& args,
           Done done);
  // --- the oracle
  // The limits that the upload exceeds, if the day ends at `now_ms`. `most`: what may count does.
  std::vector<Lack> Lacking(const Upload& wish, int64_t now_ms, bool most) const;
  bool IsQuiet() const;
  bool MayBeSwept(const Upload& upload) const;
  bool IsGone(const std::string& message, bool certainly) const;
  Facts RowOf(Process& process, const Upload& upload) const;
  void Learn(Process& process, Upload* upload, const char* when);
  void LearnMessage(Process& process, Message* message, const char* when);
  void CheckBytes(Process& process, const Upload& upload, const char* when);

  threads::Caller CallerOf(size_t user) const;
  std::string Name(const Upload& upload) const;
  void Complain(const std::string& what) { complaints_->push_back("uploaders: " + what); }
  size_t Roll(size_t below) { return static_cast<size_t>(random_() % below); }

  std::mt19937_64 random_;
  std::vector<std::string>* const complaints_;
  std::filesystem::path folder_;
  // Callbacks of a process that died check this and do nothing.
  std::shared_ptr<int> life_ = std::make_shared<int>();
  std::vector<Room> rooms_;
  std::vector<std::unique_ptr<Upload>> uploads_;
  std::vector<std::unique_ptr<Message>> messages_;
  bool alone_ = false;     // an upload begins while nothing else does, so that its answer is certain
  int64_t latest_ms_ = 0;  // the latest time that the wall clock showed
  size_t names_ = 0;
  UploadCounts counts_;
};

}  // namespace parley::sim
