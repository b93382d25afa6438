#include "gateway/net/compression.h"

#include <pthread.h>
#include <zlib.h>

#include <algorithm>
#include <utility>

#include "gateway/net/header.h"
#include "gateway/net/http_answer.h"

namespace parley::gateway {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, in gzip's format
constexpr int kMemory = 8;            // zlib's default

int LevelOf(GzipEffort effort) {
  return effort == GzipEffort::kQuick ? 1 : effort == GzipEffort::kUsual ? 6 : 9;
}

// Takes a quarter of a megabyte, so each compressing thread creates one instead of each answer.
class Deflater {
 public:
  explicit Deflater(int level)
      : ready_(deflateInit2(&stream_, level, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) == Z_OK) {}
  ~Deflater() {
    if (ready_) deflateEnd(&stream_);
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  std::optional<std::string> Run(std::string_view text) {
    if (!ready_ || text.size() > UINT32_MAX || deflateReset(&stream_) != Z_OK) return std::nullopt;
    std::string out(text.size(), '\0');
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    if (deflate(&stream_, Z_FINISH) != Z_STREAM_END) return std::nullopt;  // the result would not be shorter
    out.resize(out.size() - stream_.avail_out);
    out.shrink_to_fit();
    return out;
  }

 private:
  z_stream stream_ = {};
  const bool ready_;
};

// Reads "0", "0.5", "1.000" as thousandths; returns nullopt for other forms (RFC 9110 §12.4.2).
std::optional<int> ReadWeight(std::string_view text) {
  constexpr size_t kLongest = 5;
  if (text.empty() || text.size() > kLongest || (text[0] != '0' && text[0] != '1')) return std::nullopt;
  if (text.size() > 1 && text[1] != '.') return std::nullopt;
  int weight = text[0] == '1' ? 1000 : 0;
  int unit = 100;
  for (const char c : text.substr(std::min<size_t>(2, text.size()))) {
    if (c < '0' || c > '9') return std::nullopt;
    weight += (c - '0') * unit;
    unit /= 10;
  }
  return weight <= 1000 ? std::optional<int>(weight) : std::nullopt;
}

// Reads the weight after a coding: ";q=0.5".
std::optional<int> WeightOf(std::string_view parameters) {
  parameters = Trimmed(parameters);
  if (parameters.empty() || parameters.front() != ';') return std::nullopt;
  parameters = Trimmed(parameters.substr(1));
  if (parameters.size() < 2 || !EqualsIgnoringCase(parameters.substr(0, 2), "q=")) return std::nullopt;
  return ReadWeight(parameters.substr(2));
}

struct Wishes {
  std::optional<int> gzip, identity, rest;
};

bool ReadWish(std::string_view element, Wishes* wishes) {
  element = Trimmed(element);
  if (element.empty()) return true;  // a list may have empty elements
  const size_t end = element.find_first_of("; \t");
  const std::string_view coding = element.substr(0, end);
  const auto weight =
      end == std::string_view::npos ? std::optional<int>(1000) : WeightOf(element.substr(end));
  if (!weight || !IsToken(coding)) return false;
  if (EqualsIgnoringCase(coding, "gzip") || EqualsIgnoringCase(coding, "x-gzip")) wishes->gzip = weight;
  if (EqualsIgnoringCase(coding, "identity")) wishes->identity = weight;
  if (coding == "*") wishes->rest = weight;
  return true;
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && EqualsIgnoringCase(text.substr(text.size() - end.size()), end);
}

bool IsText(std::string_view content_type) {
  const std::string_view type = Trimmed(content_type.substr(0, content_type.find(';')));
  if (EqualsIgnoringCase(type.substr(0, 5), "text/")) return true;
  constexpr std::string_view kOthers[] = {"application/json", "application/javascript", "application/xml",
                                          "application/yaml"};
  return EndsWith(type, "+json") || EndsWith(type, "+xml") ||
         std::any_of(std::begin(kOthers), std::end(kOthers),
                     [&](std::string_view other) { return EqualsIgnoringCase(type, other); });
}

}  // namespace

bool PrefersGzip(const std::string* accept_encoding) {
  if (!accept_encoding) return false;
  Wishes wishes;
  for (std::string_view rest = *accept_encoding;;) {
    const size_t comma = rest.find(',');
    if (!ReadWish(rest.substr(0, comma), &wishes)) return false;
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  const int gzip = wishes.gzip.value_or(wishes.rest.value_or(0));
  return gzip > 0 && gzip >= wishes.identity.value_or(0);
}

bool IsCompressible(const HttpResponse& response) {
  if (!response.compressible || response.source || response.body.size() < kCompressedBytesMin) return false;
  if (!HasBody(response.status) || response.status == 206) return false;
  const std::string* type = protocol::FindHeader(response.headers, "Content-Type");
  const std::string* cache = protocol::FindHeader(response.headers, "Cache-Control");
  return type && IsText(*type) && !protocol::FindHeader(response.headers, "Content-Encoding") &&
         !(cache && ListNames(*cache, "no-transform"));
}

void SetVary(HttpResponse* response) {
  for (auto& [name, value] : response->headers) {
    if (!EqualsIgnoringCase(name, "vary")) continue;
    if (value != "*" && !ListNames(value, "accept-encoding")) value += ", Accept-Encoding";
    return;
  }
  response->headers.emplace_back("Vary", "Accept-Encoding");
}

void SetGzipped(HttpResponse* response, std::string body) {
  response->body = std::move(body);
  response->headers.emplace_back("Content-Encoding", "gzip");
}

std::optional<std::string> Gzip(std::string_view text, GzipEffort effort) {
  thread_local Deflater quick(LevelOf(GzipEffort::kQuick));
  if (effort == GzipEffort::kQuick) return quick.Run(text);
  return Deflater(LevelOf(effort)).Run(text);
}

std::shared_ptr<const std::string> GzipAhead(const HttpResponse& response) {
  if (!IsCompressible(response)) return nullptr;
  auto compressed = Gzip(response.body, GzipEffort::kBest);
  return compressed ? std::make_shared<const std::string>(std::move(*compressed)) : nullptr;
}

namespace {

class Inflater {
 public:
  explicit Inflater(std::string_view bytes) : ready_(inflateInit2(&stream_, kGzipWindow) == Z_OK) {
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
  }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Appends one member to `out`.
  GunzipFault Member(size_t bytes_max, std::string* out) {
    constexpr size_t kStep = 16 * 1024;
    if (!ready_ || inflateReset(&stream_) != Z_OK) return GunzipFault::kDamaged;
    for (int result = Z_OK; result != Z_STREAM_END;) {
      const size_t before = out->size();
      // One byte more than allowed distinguishes a body that is too large from one that just fits.
      out->resize(before + std::min(kStep, bytes_max - before + 1));
      stream_.next_out = reinterpret_cast<Bytef*>(out->data() + before);
      stream_.avail_out = static_cast<uInt>(out->size() - before);
      result = inflate(&stream_, Z_NO_FLUSH);
      out->resize(out->size() - stream_.avail_out);
      if (out->size() > bytes_max) return GunzipFault::kTooLarge;
      if (result != Z_OK && result != Z_STREAM_END) return GunzipFault::kDamaged;
    }
    return GunzipFault::kNone;
  }
  bool done() const { return stream_.avail_in == 0; }

 private:
  z_stream stream_ = {};
  const bool ready_;
};

}  // namespace

GunzipFault Gunzip(std::string_view bytes, size_t bytes_max, std::string* out) {
  out->clear();
  if (bytes.empty() || bytes.size() > UINT32_MAX) return GunzipFault::kDamaged;
  Inflater inflater(bytes);
  do {
    if (const GunzipFault fault = inflater.Member(bytes_max, out); fault != GunzipFault::kNone) return fault;
  } while (!inflater.done());
  return GunzipFault::kNone;
}

Compressor::Compressor() : thread_([this] { Run(); }) {}

Compressor::~Compressor() {
  Stop();
}

bool Compressor::Submit(std::string* text, Done done) {
  {
    protocol::MutexLock lock(&mutex_);
    const bool full = waiting_bytes_ > 0 && waiting_bytes_ + text->size() > kWaitingBytesMax;
    if (stopped_ || full) return false;
    waiting_bytes_ += text->size();
    waiting_.push_back({std::move(*text), std::move(done)});
  }
  wake_.Signal();
  return true;
}

void Compressor::Stop() {
  {
    protocol::MutexLock lock(&mutex_);
    stopped_ = true;
    waiting_.clear();
  }
  wake_.Signal();
  if (thread_.joinable()) thread_.join();
}

std::optional<Compressor::Job> Compressor::Take() {
  protocol::MutexLock lock(&mutex_);
  while (waiting_.empty() && !stopped_) wake_.Wait(&mutex_);
  if (stopped_) return std::nullopt;
  Job job = std::move(waiting_.front());
  waiting_.pop_front();
  return job;
}

void Compressor::Run() {
  pthread_setname_np(pthread_self(), "gzip");
  while (auto job = Take()) {
    const size_t bytes = job->text.size();
    auto compressed = Gzip(job->text, GzipEffort::kUsual);
    job->done(std::move(job->text), std::move(compressed));
    protocol::MutexLock lock(&mutex_);
    waiting_bytes_ -= bytes;
  }
}

}  // namespace parley::gateway
