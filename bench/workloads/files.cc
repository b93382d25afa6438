// F1 to F4: files. Downloads beside nginx, which sends the same bytes by sendfile; uploads beside a copy of
// the same bytes on the same disk; acks while others upload.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "bench/load/rooms.h"
#include "bench/load/uploads.h"
#include "bench/measure/cpu.h"
#include "bench/net/downloads.h"
#include "bench/net/http_call.h"
#include "bench/process/foreign_server.h"
#include "bench/process/server_process.h"
#include "bench/report/goals.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

constexpr size_t kClients = 64;
constexpr size_t kLargeBytes = size_t{10} << 20;
constexpr size_t kUploadBytes = size_t{25} << 20;
constexpr size_t kUploadsInRound = 8;
constexpr size_t kUploadsBeside = 8;
constexpr double kPaceBytes = 4 << 20;  // a second, of each upload beside a conversation
constexpr double kMiB = 1 << 20;
const char* const kArchive = "application/zip";

std::string FaultOf(const DownloadsResult& result) {
  if (!result.fault.empty()) return result.fault;
  return result.own_idle < 0.02 ? "the generator was the bottleneck" : "";
}

// nginx as Debian installs it, with one worker that serves DIR/www by sendfile.
std::vector<std::string> NginxFor(const std::string& folder, uint16_t port, std::string_view bytes) {
  const std::string dir = std::filesystem::absolute(folder);  // nginx takes others to be in its own
  std::filesystem::create_directory(dir + "/www");
  std::ofstream(dir + "/www/file", std::ios::binary) << bytes;
  std::string temporary;
  for (const char* what : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
    temporary += std::string(what) + "_temp_path " + dir + "/" + what + ";\n";
  std::ofstream(dir + "/nginx.conf")
      << "daemon off; master_process off; pid " << dir << "/pid; error_log stderr crit;\n"
      << "events { worker_connections 1024; }\n"
      << "http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;\n"
      << temporary << "server { listen 127.0.0.1:" << port << "; root " << dir << "/www; } }\n";
  // nginx gives up its privileges before it begins, and makes its folders itself.
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir))
    std::filesystem::permissions(entry.path(),
                                 std::filesystem::perms::others_read | std::filesystem::perms::others_exec,
                                 std::filesystem::perm_options::add);
  return {"nginx", "-e", "stderr", "-c", dir + "/nginx.conf"};
}

struct Served {
  std::string id, what;
  std::string link;   // Parley's
  std::string bytes;  // nginx's
  bool per_byte = false;
};

void CompareDownloads(const Context& context, const ServerProcess& server, const Served& served) {
  const ForeignServer nginx(context.scratch, [&](const std::string& dir, uint16_t port) {
    return NginxFor(dir, port, served.bytes);
  });
  std::string objection = nginx.fault().empty() ? "" : "nginx: " + nginx.fault();
  std::vector<double> ours, theirs, ratios;
  for (int round = 0; round < context.rounds && objection.empty(); ++round) {
    Poller poller;
    const auto run = [&](const sockaddr_in& address, const std::string& path) {
      const DownloadsResult result =
          Downloads(poller, address, path, served.bytes.size(), kClients).Run(context.seconds);
      if (objection.empty()) objection = FaultOf(result);
      return served.per_byte ? result.bytes_per_second() / kMiB : result.answers_per_second();
    };
    ours.push_back(run(server.address(), served.link));
    theirs.push_back(run(nginx.address(), "/file"));
    ratios.push_back(ours.back() / theirs.back());
  }
  char note[96];
  std::snprintf(note, sizeof note, "%zu bytes, %zu clients", served.bytes.size(), kClients);
  context.report->Add({served.id, served.what, Median(ours), "nginx by sendfile", Median(theirs),
                       Median(ratios), GoalOf(served.id), note, objection});
}

std::string ReadAll(const ServerProcess& server, const std::string& link) {
  const HttpAnswer answer = ReadHttp(server.address(), link);
  return answer.status == 200 ? answer.body : std::string();
}

}  // namespace

void RunDownloads(const Context& context) {
  const ScratchDir dir(context.scratch);
  const ServerProcess server(context.parleyd, dir.path());
  Uploader uploader(server.address(), "usr_files");
  const std::string large = ArchiveBytes(kLargeBytes, 1);
  const auto archive = uploader.Upload(large, kArchive);
  const auto picture = archive ? uploader.Upload(PictureBytes(1200, 900), "image/png") : std::nullopt;
  const auto whole = archive ? uploader.LinkTo(*archive) : std::nullopt;
  const auto thumb = picture ? uploader.LinkTo(*picture, "thumb") : std::nullopt;
  if (!whole || !thumb) {
    std::fprintf(stderr, "parley-bench: %s\n", uploader.fault().c_str());
    std::exit(1);
  }
  CompareDownloads(context, server, {"F1", "files of 10 MiB, MiB/s", *whole, large, true});
  CompareDownloads(context, server, {"F2", "thumbs/s", *thumb, ReadAll(server, *thumb), false});
}

namespace {

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), std::min(bytes.size(), size_t{256} << 10));
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

// Copies files as cp does, and syncs each. Returns the seconds; 0 if it failed.
double CopyAndSync(const std::string& dir, const std::vector<std::string>& files) {
  std::vector<std::string> sources;
  for (size_t i = 0; i < files.size(); ++i) {
    sources.push_back(dir + "/source-" + std::to_string(i));
    std::ofstream(sources.back(), std::ios::binary) << files[i];
  }
  sync();
  std::vector<char> buffer(size_t{256} << 10);
  bool sound = true;
  const int64_t began = NowNs();
  for (const std::string& source : sources) {
    const int in = open(source.c_str(), O_RDONLY | O_CLOEXEC);
    const int out = open((source + "-copy").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    for (ssize_t n = 0; (n = read(in, buffer.data(), buffer.size())) > 0;)
      sound &= WriteAll(out, {buffer.data(), static_cast<size_t>(n)});
    sound &= fsync(out) == 0;
    close(in);
    close(out);
  }
  const double seconds = static_cast<double>(NowNs() - began) / 1e9;
  return sound ? seconds : 0;
}

}  // namespace

void RunUploads(const Context& context) {
  const ScratchDir dir(context.scratch);
  const ServerProcess server(context.parleyd, dir.path());
  const double mib = static_cast<double>(kUploadBytes * kUploadsInRound) / kMiB;
  std::vector<double> ours, theirs, ratios;
  std::string objection;
  for (int round = 0; round < std::max(5, context.rounds) && objection.empty(); ++round) {
    std::vector<std::string> files;
    for (size_t i = 0; i < kUploadsInRound; ++i)
      files.push_back(ArchiveBytes(kUploadBytes, static_cast<uint64_t>(round) * 100 + i));
    const ScratchDir copies(context.scratch);
    theirs.push_back(mib / CopyAndSync(copies.path(), files));
    Uploader uploader(server.address(), "usr_up_" + std::to_string(round));
    sync();
    const int64_t began = NowNs();
    for (const std::string& bytes : files) {
      if (!uploader.Upload(bytes, kArchive)) objection = uploader.fault();
    }
    ours.push_back(mib / (static_cast<double>(NowNs() - began) / 1e9));
    ratios.push_back(ours.back() / theirs.back());
  }
  char note[96];
  std::snprintf(note, sizeof note, "%zu files of %.0f MiB, one after another", kUploadsInRound,
                static_cast<double>(kUploadBytes) / kMiB);
  context.report->Add({"F3", "uploads, MiB/s", Median(ours), "cp and fsync of the same bytes", Median(theirs),
                       Median(ratios), GoalOf("F3"), note, objection});
}

namespace {

// Uploads that go on, each at its pace, until this is destroyed.
class Background {
 public:
  explicit Background(const sockaddr_in& server) {
    for (size_t i = 0; i < kUploadsBeside; ++i) {
      threads_.emplace_back([this, server, i] {
        for (size_t n = 0; !over_ && refused_ == 0; ++n) {
          Uploader uploader(server, "usr_bg_" + std::to_string(++users) + "_" + std::to_string(i));
          const std::string bytes = ArchiveBytes(kUploadBytes / 4, n * 100 + i);
          while (!over_ && uploader.Upload(bytes, kArchive, kPaceBytes)) uploaded += bytes.size();
          refused_ += !uploader.fault().empty() && !over_;
        }
      });
    }
  }
  ~Background() {
    over_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  std::string fault() const { return refused_ > 0 ? "an upload was refused" : ""; }
  std::atomic<uint64_t> uploaded = 0;
  static inline std::atomic<uint64_t> users = 0;

 private:
  std::atomic<bool> over_ = false;
  std::atomic<int> refused_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace

void RunSideLoad(const Context& context) {
  const ScratchDir dir(context.scratch);
  const ServerProcess server(context.parleyd, dir.path());
  Target target;
  target.address = server.address();
  Poller poller;
  RoomsPlan plan;  // that of P16
  plan.rooms = 64;
  plan.members = plan.online = 10;
  plan.senders = plan.window = 1;
  plan.body_bytes = 128;
  plan.warmup_seconds = 0.4;
  plan.seconds = context.seconds;
  Rooms rooms(poller, target, plan, server.pid());
  std::vector<double> with, without, ratios;
  std::string objection;
  double uploaded = 0, seconds = 0;
  const auto run = [&](std::vector<double>* out) {
    const RoomsResult result = rooms.Run();
    if (objection.empty()) objection = result.Objection();
    out->push_back(static_cast<double>(result.ack.Percentile(50)) / 1e6);
    return result.seconds;
  };
  for (int round = 0; round < std::max(5, context.rounds); ++round) {
    run(&without);
    const Background uploads(server.address());
    const int64_t began = NowNs();
    run(&with);
    seconds += static_cast<double>(NowNs() - began) / 1e9;
    uploaded += static_cast<double>(uploads.uploaded);
    if (objection.empty()) objection = uploads.fault();
    ratios.push_back(with.back() / without.back());
  }
  char note[96];
  std::snprintf(note, sizeof note, "64 rooms of 10; %zu uploads, %.0f MiB/s together", kUploadsBeside,
                uploaded / kMiB / seconds);
  context.report->Add({"F4", "send to ack beside uploads, median, ms", Median(with), "without them, ms",
                       Median(without), Median(ratios), GoalOf("F4"), note, objection});
}

}  // namespace parley::bench
