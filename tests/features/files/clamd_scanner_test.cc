// Scans against a daemon that answers as the test says: whole, torn, late or not at all. The real daemon is
// in tests/e2e/files_scan.test.mjs.
#include "features/files/clamd_scanner.h"
#include "features/files/posix_file.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <future>
#include <thread>

#include "features/files/scanning.h"

namespace parley::features {
namespace {

using Kind = ScanResult::Kind;

constexpr ClamdWaits kShort{.connect_ms = 2000, .send_ms = 2000, .answer_ms = 2000};

class TextBlob final : public BlobReader {
 public:
  explicit TextBlob(std::string text) : text_(std::move(text)) {}
  int64_t size() const override { return static_cast<int64_t>(text_.size()); }
  protocol::Result<std::string> ReadAt(int64_t offset, size_t size) override {
    return text_.substr(static_cast<size_t>(offset), size);
  }

 private:
  const std::string text_;
};

// Reads a command until the end of its stream, or `most` bytes of it, sends the answer and closes.
class FakeClamd {
 public:
  static constexpr size_t kAll = SIZE_MAX;

  explicit FakeClamd(std::string answer, size_t most = kAll)
      : answer_(std::move(answer)), most_(most), listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    std::string name = testing::TempDir() + "clamdXXXXXX";
    folder_ = ::mkdtemp(name.data());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    Path().copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(listener_.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_.descriptor(), 8), 0);
    thread_ = std::thread([this] { Run(); });
  }
  ~FakeClamd() {
    ::shutdown(listener_.descriptor(), SHUT_RDWR);  // ends accept
    thread_.join();
    std::filesystem::remove_all(folder_);
  }

  std::string Path() const { return folder_ + "/socket"; }
  ScanChoice Choice() const { return *ParseScanChoice("clamd:" + Path()); }
  // The bytes of the streams, chunk by chunk: "3 1".
  std::string Chunks() {
    const protocol::MutexLock lock(&mutex_);
    return chunks_;
  }
  std::string Bytes() {
    const protocol::MutexLock lock(&mutex_);
    return bytes_;
  }

 private:
  void Run() {
    while (true) {
      PosixFile link(::accept4(listener_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
      if (link.descriptor() < 0) return;
      Serve(link.descriptor());
    }
  }

  static std::string Read(int link, size_t size) {
    std::string out(size, '\0');
    const ssize_t got = ::recv(link, out.data(), size, MSG_WAITALL);
    out.resize(got < 0 ? 0 : static_cast<size_t>(got));
    return out;
  }

  void Serve(int link) {
    std::string command;
    while (!command.ends_with('\0')) {
      const std::string one = Read(link, 1);
      if (one.empty()) return;
      command += one;
    }
    if (command == std::string("zPING\0", 6)) {
      Say(link, std::string("PONG\0", 5));
      return;
    }
    EXPECT_EQ(command, std::string("zINSTREAM\0", 10));
    if (!Take(link)) return;
    Say(link, answer_);
    // A daemon that says nothing keeps the connection until its peer closes.
    if (answer_.empty()) Read(link, 1);
  }

  // Returns false if the peer closes first.
  bool Take(int link) {
    for (size_t taken = 0; taken < most_;) {
      const std::string head = Read(link, 4);
      if (head.size() < 4) return false;
      size_t size = 0;
      for (const char c : head) size = size << 8 | static_cast<unsigned char>(c);
      if (size == 0) return true;
      const std::string chunk = Read(link, size);
      taken += chunk.size();
      const protocol::MutexLock lock(&mutex_);
      chunks_ += (chunks_.empty() ? "" : " ") + std::to_string(size);
      bytes_ += chunk;
    }
    return true;
  }

  static void Say(int link, const std::string& text) { ::send(link, text.data(), text.size(), MSG_NOSIGNAL); }

  const std::string answer_;
  const size_t most_;
  const PosixFile listener_;
  std::string folder_;
  protocol::Mutex mutex_;
  std::string bytes_ GUARDED_BY(mutex_), chunks_ GUARDED_BY(mutex_);
  std::thread thread_;
};

std::string ClamdReply(const char* text) {
  return std::string(text) + '\0';
}

ScanResult ScanWith(const FakeClamd& daemon, std::string bytes = "harmless", ClamdWaits waits = kShort) {
  TextBlob blob(std::move(bytes));
  return NewClamdScanner(daemon.Choice(), waits)->Scan(blob);
}

TEST(ClamdScanner, sends_all_bytes_in_chunks) {
  FakeClamd daemon(ClamdReply("stream: OK"));
  std::string bytes(300'000, 'x');
  bytes[200'000] = 'y';
  EXPECT_EQ(ScanWith(daemon, bytes).kind, Kind::kClean);
  EXPECT_EQ(daemon.Chunks(), "131072 131072 37856");
  EXPECT_EQ(daemon.Bytes(), bytes);
}

TEST(ClamdScanner, reports_the_signature) {
  FakeClamd daemon(ClamdReply("stream: Eicar-Test-Signature FOUND"));
  const ScanResult result = ScanWith(daemon);
  EXPECT_EQ(result.kind, Kind::kFound);
  EXPECT_EQ(result.detail, "Eicar-Test-Signature");
}

TEST(ClamdScanner, a_file_beyond_a_limit_is_too_large) {
  FakeClamd stream(ClamdReply("INSTREAM size limit exceeded. ERROR"), 131'072);
  EXPECT_EQ(ScanWith(stream, std::string(8'000'000, 'x')).kind, Kind::kTooLarge)
      << "it answers and closes before it has read all";
  FakeClamd file(ClamdReply("stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND"));
  EXPECT_EQ(ScanWith(file).kind, Kind::kTooLarge);
}

TEST(ClamdScanner, only_a_whole_answer_counts) {
  for (const std::string& answer :
       {std::string("stream: OK"), std::string("stream: Eicar FOU"), std::string(1, '\0'), ClamdReply("OK"),
        ClamdReply("stream: FOUND"), ClamdReply("stream:  FOUND"),
        ClamdReply("stream: Can't allocate memory ERROR"), ClamdReply("stream: OK FOUND ERROR"),
        std::string(10'000, 'x')}) {
    FakeClamd daemon(answer);
    EXPECT_EQ(ScanWith(daemon).kind, Kind::kNotReachable) << answer.substr(0, 40);
  }
}

TEST(ClamdScanner, an_answer_before_the_last_byte_passes_nothing) {
  FakeClamd daemon(ClamdReply("stream: OK"), 131'072);
  EXPECT_EQ(ScanWith(daemon, std::string(8'000'000, 'x')).kind, Kind::kNotReachable);
}

TEST(ClamdScanner, a_daemon_that_does_not_listen_is_not_reachable) {
  TextBlob blob("harmless");
  auto scanner = NewClamdScanner(*ParseScanChoice("clamd:/nowhere/clamd"), kShort);
  EXPECT_EQ(scanner->Scan(blob).kind, Kind::kNotReachable);
  EXPECT_FALSE(scanner->Answers());
}

TEST(ClamdScanner, a_silent_daemon_is_not_reachable) {
  FakeClamd daemon("");
  EXPECT_EQ(ScanWith(daemon, "harmless", {.answer_ms = 50}).kind, Kind::kNotReachable);
}

TEST(ClamdScanner, stops_while_it_waits) {
  FakeClamd daemon("");
  TextBlob blob("harmless");
  auto scanner = NewClamdScanner(daemon.Choice(), {.answer_ms = 3'600'000});
  auto result = std::async(std::launch::async, [&] { return scanner->Scan(blob); });
  scanner->Stop();
  EXPECT_EQ(result.get().kind, Kind::kNotReachable);
}

TEST(ScanChoice, is_parsed_or_rejected) {
  EXPECT_EQ(ParseScanChoice("none")->by, ScanChoice::By::kNothing);
  EXPECT_EQ(ParseScanChoice("service")->by, ScanChoice::By::kService);
  EXPECT_EQ(ParseScanChoice("clamd:/run/clamd")->path, "/run/clamd");
  EXPECT_EQ(ParseScanChoice("clamd:scanner:3310")->host, "scanner");
  EXPECT_EQ(ParseScanChoice("clamd:[::1]:3310")->host, "::1");
  EXPECT_EQ(ParseScanChoice("clamd:[::1]:3310")->port, 3310);
  for (const char* wrong : {"", "clamd", "clamd:", "clamd:run/clamd", "clamd:host", "clamd:host:0",
                            "clamd:host:65536", "clamd:host:33x", "clamd::3310", "all"})
    EXPECT_FALSE(ParseScanChoice(wrong)) << wrong;
  EXPECT_FALSE(ParseScanChoice("clamd:/" + std::string(107, 'x'))) << "longer than the address of a socket";
}

// A scanner whose state the test sets.
struct SetScanner final : Scanner {
  explicit SetScanner(std::shared_ptr<std::string> calls) : log(std::move(calls)) {}
  ScanResult Scan(BlobReader&) override { return *log += "scan ", ScanResult{result}; }
  bool Answers() override { return *log += "ask ", answers; }
  void Stop() override {}
  Kind result = Kind::kClean;
  bool answers = true;
  const std::shared_ptr<std::string> log;
};

class ScanningTest : public testing::Test {
 protected:
  // "clean", or "waits 1000" in milliseconds.
  std::string Examine() {
    TextBlob blob("harmless");
    const Scanning::Examined out = scanning_.Examine(blob);
    if (out.result.kind == Kind::kClean) return "clean";
    return "waits " + std::to_string(out.pause.count());
  }
  std::string Log() { return std::exchange(*log_, {}); }
  void Advance(int64_t ms) { now_ += std::chrono::milliseconds(ms); }
  void SetReachable(bool reachable) {
    scanner_->result = reachable ? Kind::kClean : Kind::kNotReachable;
    scanner_->answers = reachable;
  }

  protocol::Metrics metrics_;
  const std::shared_ptr<std::string> log_ = std::make_shared<std::string>();
  SetScanner* const scanner_ = new SetScanner(log_);
  Scanning::Clock::time_point now_{};
  Scanning scanning_{ScanChoice::By::kClamd, std::unique_ptr<Scanner>(scanner_), metrics_,
                     [this] { return now_; }};
};

TEST_F(ScanningTest, asks_once_for_all_files_while_the_scanner_is_away) {
  EXPECT_EQ(Examine(), "clean");
  EXPECT_EQ(Log(), "scan ");
  SetReachable(false);
  EXPECT_EQ(Examine(), "waits 1000");
  EXPECT_EQ(Log(), "scan ask ");
  EXPECT_TRUE(scanning_.unreachable());
  Advance(400);
  EXPECT_EQ(Examine(), "waits 600");
  EXPECT_EQ(Log(), "");
  Advance(600);
  EXPECT_EQ(Examine(), "waits 2000");
  EXPECT_EQ(Log(), "ask ");
  for (int i = 0; i < 10; ++i) {
    Advance(60'000);
    Examine();
  }
  EXPECT_EQ(Examine(), "waits 60000") << "never longer";
  SetReachable(true);
  EXPECT_EQ(Examine(), "waits 60000");
  Advance(60'000);
  EXPECT_EQ(Examine(), "clean");
  EXPECT_FALSE(scanning_.unreachable());
}

TEST_F(ScanningTest, one_bad_file_does_not_keep_others_waiting) {
  scanner_->result = Kind::kNotReachable;
  EXPECT_EQ(Examine(), "waits 0") << "it answers, so this file alone waits";
  scanner_->result = Kind::kClean;
  EXPECT_EQ(Examine(), "clean");
}

TEST(ScanPauses, double_up_to_a_minute) {
  std::string pauses;
  for (int failures = 1; failures <= 9; ++failures)
    pauses += std::to_string(PauseAfter(failures).count() / 1000) + " ";
  EXPECT_EQ(pauses, "1 2 4 8 16 32 60 60 60 ");
}

}  // namespace
}  // namespace parley::features
