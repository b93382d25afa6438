#include "features/files/s3_transfer.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "protocol/base/clock.h"
#include "protocol/base/http.h"

namespace parley::features {
namespace {

constexpr long kConnectMs = 5'000;
// An attempt ends if fewer bytes than this move per second for so long: an answer that never comes, too.
constexpr long kLeastSpeed = 1024, kSlowSeconds = 30;

struct FreeHeaders {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderLines = std::unique_ptr<curl_slist, FreeHeaders>;

// One attempt, as the callbacks of libcurl see it.
struct Attempt {
  const S3Body& body;
  int64_t sent = 0;
  size_t body_max = 0;
  const std::atomic<bool>& stopped;
  S3Answer answer = {};
};

size_t OnReceive(char* bytes, size_t size, size_t count, void* into) {
  auto& attempt = *static_cast<Attempt*>(into);
  if (attempt.answer.body.size() + size * count > attempt.body_max) return 0;  // ends the transfer
  attempt.answer.body.append(bytes, size * count);
  return size * count;
}

size_t OnHeader(char* bytes, size_t size, size_t count, void* into) {
  auto& attempt = *static_cast<Attempt*>(into);
  const std::string_view line(bytes, size * count);
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return line.size();
  std::string_view value = line.substr(colon + 1);
  const auto is_blank = [](char c) { return c == ' ' || c == '\r' || c == '\n'; };
  while (!value.empty() && is_blank(value.front())) value.remove_prefix(1);
  while (!value.empty() && is_blank(value.back())) value.remove_suffix(1);
  if (protocol::EqualsIgnoringCase(line.substr(0, colon), "etag")) attempt.answer.etag = value;
  return line.size();
}

size_t OnSend(char* into, size_t size, size_t count, void* from) {
  auto& attempt = *static_cast<Attempt*>(from);
  const auto room = static_cast<int64_t>(size * count);
  const auto wanted = static_cast<size_t>(std::min(room, attempt.body.size - attempt.sent));
  const auto bytes = attempt.body.file->ReadAt(attempt.body.offset + attempt.sent, wanted);
  if (!bytes.ok() || bytes->size() != wanted) return CURL_READFUNC_ABORT;
  std::memcpy(into, bytes->data(), bytes->size());
  attempt.sent += static_cast<int64_t>(bytes->size());
  return bytes->size();
}

// libcurl sends from the beginning again, for example if a kept connection was closed.
int OnSeek(void* from, curl_off_t offset, int origin) {
  if (origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
  static_cast<Attempt*>(from)->sent = offset;
  return CURL_SEEKFUNC_OK;
}

int OnProgress(void* of, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<Attempt*>(of)->stopped ? 1 : 0;  // 1 ends the transfer
}

HeaderLines LinesOf(const std::vector<std::pair<std::string, std::string>>& headers) {
  curl_slist* list = nullptr;
  for (const auto& [name, value] : headers) list = curl_slist_append(list, (name + ": " + value).c_str());
  list = curl_slist_append(list, "Expect:");  // no question before a body
  return HeaderLines(list);
}

void SetBody(CURL* curl, const S3Request& request, Attempt* attempt) {
  if (request.method == "HEAD") {
    curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
  } else if (request.method == "PUT") {
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(attempt->body.size));
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, OnSend);
    curl_easy_setopt(curl, CURLOPT_READDATA, attempt);
    curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, OnSeek);
    curl_easy_setopt(curl, CURLOPT_SEEKDATA, attempt);
  } else if (request.method == "POST") {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(attempt->body.text.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, attempt->body.text.data());
  } else if (request.method == "DELETE") {
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "DELETE");
  }
}

void SetUpAttempt(CURL* curl, const S3Request& request, Attempt* attempt) {
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, kLeastSpeed);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kSlowSeconds);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "parleyd");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, OnReceive);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, attempt);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, OnHeader);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, attempt);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, OnProgress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, attempt);
  SetBody(curl, request, attempt);
}

}  // namespace

S3Transfer::S3Transfer(S3Settings settings) : settings_(std::move(settings)) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(started);
}

S3Transfer::~S3Transfer() {
  const protocol::MutexLock lock(&mutex_);
  for (void* handle : idle_) curl_easy_cleanup(handle);
}

void* S3Transfer::Take() {
  const protocol::MutexLock lock(&mutex_);
  if (idle_.empty()) return curl_easy_init();
  void* handle = idle_.back();
  idle_.pop_back();
  return handle;
}

void S3Transfer::Give(void* handle) {
  curl_easy_reset(handle);  // keeps its connections
  const protocol::MutexLock lock(&mutex_);
  idle_.push_back(handle);
}

S3Answer S3Transfer::Send(const S3Request& request, const S3Body& body, size_t body_max) {
  CURL* curl = Take();
  if (!curl) std::abort();  // out of memory
  Attempt attempt{.body = body, .body_max = body_max, .stopped = stopped_};
  const std::string url = settings_.scheme + "://" + settings_.host + S3TargetOf(request);
  const HeaderLines headers = LinesOf(SignS3(settings_, request, protocol::SystemClock().Now()));
  char why[CURL_ERROR_SIZE] = "";
  SetUpAttempt(curl, request, &attempt);
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
  const CURLcode code = curl_easy_perform(curl);
  if (code == CURLE_OK) {
    long status = 0;
    curl_off_t length = -1;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    attempt.answer.status = static_cast<int>(status);
    attempt.answer.length = length;
  } else {
    attempt.answer.trouble = *why ? why : curl_easy_strerror(code);
  }
  Give(curl);
  return std::move(attempt.answer);
}

}  // namespace parley::features
