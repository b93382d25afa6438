#include "features/files/s3_client.h"

#include "features/files/s3_xml.h"
#include "protocol/base/crypto.h"
#include "protocol/base/log.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

constexpr std::chrono::milliseconds kFirstRest{100};

protocol::Error Silent() {
  return ErrorFor(protocol::Reason::kStoreDown, "the store of files does not answer");
}

// The code of S3's error: "AccessDenied".
std::string CodeOf(const S3Answer& answer) {
  return XmlText(answer.body, "Code").value_or("");
}

bool IsAnswer(const S3Answer& answer) {
  if (answer.status == 404) return CodeOf(answer) != "NoSuchBucket";
  return answer.status >= 200 && answer.status < 300;
}

bool IsWorthRetrying(const S3Answer& answer) {
  switch (answer.status) {
    case 0:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
      return true;
    case 400:
      return CodeOf(answer) == "RequestTimeout";
    default:
      return false;
  }
}

// Neither the request's headers nor its query are logged: they have signatures.
protocol::Error Refused(const S3Request& request, const S3Answer& answer) {
  protocol::Log(protocol::LogLevel::kError, "files", "the store of files refused a request",
                {{"method", request.method},
                 {"path", request.path},
                 {"status", answer.status},
                 {"code", CodeOf(answer)},
                 {"why", XmlText(answer.body, "Message").value_or("")}});
  return ErrorFor(protocol::Reason::kStoreDown, "the store of files refused a request");
}

}  // namespace

protocol::Result<S3Answer> S3Client::Ask(const S3Request& request, const S3Body& body, size_t body_max) {
  const int attempts = health_.AttemptsNow();
  S3Answer answer;
  for (int i = 1; i <= attempts && !transfer_.stopped(); ++i) {
    answer = transfer_.Send(request, body, body_max);
    if (IsAnswer(answer)) {
      health_.NoteAnswer();
      return answer;
    }
    if (!IsWorthRetrying(answer)) {
      health_.NoteRefusal();
      return Refused(request, answer);
    }
    if (i == attempts) break;
    health_.NoteRetry();
    Rest(i);
  }
  if (attempts == 0 || transfer_.stopped()) return Silent();
  health_.NoteSilence();
  protocol::Log(protocol::LogLevel::kWarn, "files", "a request to the store of files failed",
                {{"method", request.method},
                 {"path", request.path},
                 {"status", answer.status},
                 {"why", answer.trouble.empty() ? CodeOf(answer) : answer.trouble}});
  return Silent();
}

void S3Client::Rest(int retry) {
  uint8_t random = 0;
  protocol::RandomBytes(&random, 1);
  const auto longest = kFirstRest * (1 << (2 * (retry - 1)));
  const auto until = std::chrono::steady_clock::now() + longest / 2 + longest / 2 * random / 255;
  const protocol::MutexLock lock(&mutex_);
  while (!transfer_.stopped() && stop_.WaitUntil(&mutex_, until)) {
  }
}

void S3Client::Stop() {
  {
    const protocol::MutexLock lock(&mutex_);
    transfer_.Stop();
  }
  stop_.SignalAll();
}

}  // namespace parley::features
