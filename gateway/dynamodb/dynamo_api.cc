#include "gateway/dynamodb/dynamo_api.h"

#include <algorithm>

#include "gateway/dynamodb/answer.h"
#include "gateway/dynamodb/operations.h"
#include "gateway/net/compression.h"
#include "gateway/net/header.h"

namespace parley::gateway {
namespace {

constexpr std::string_view kTablesRoute = "/v1/dynamodb";  // the name in the access log, whatever the path
constexpr std::string_view kTargetPrefix = "DynamoDB_20120810.";
constexpr char kTooManyGuesses[] = "Too many requests with bad credentials came from this address.";
constexpr size_t kBodyBytesMax = size_t{16} << 20;
constexpr size_t kBodyBytesOnLoopMax = size_t{16} << 10;  // larger ones are parsed on a reader's thread
constexpr size_t kValuesMax = 400'000;  // in a body: as many as a full batch of items with small values has
constexpr int kDepthMax = 80;           // each nesting of an attribute takes two levels of JSON

constexpr DynamoOperation kOperations[] = {
    {"BatchGetItem", BatchGetItem},
    {"BatchWriteItem", BatchWriteItem},
    {"CreateTable", CreateTable},
    {"DeleteItem", DeleteItem},
    {"DeleteTable", DeleteTable},
    {"DescribeContinuousBackups", DescribeContinuousBackups},
    {"DescribeEndpoints", DescribeEndpoints},
    {"DescribeLimits", DescribeLimits},
    {"DescribeTable", DescribeTable},
    {"DescribeTimeToLive", DescribeTimeToLive},
    {"GetItem", GetItem},
    {"ListTables", ListTables},
    {"ListTagsOfResource", ListTagsOfResource},
    {"PutItem", PutItem},
    {"Query", Query},
    {"Scan", Scan},
    {"TagResource", TagResource},
    {"TransactGetItems", TransactGetItems},
    {"TransactWriteItems", TransactWriteItems},
    {"UntagResource", UntagResource},
    {"UpdateItem", UpdateItem},
    {"UpdateTable", UpdateTable},
    {"UpdateTimeToLive", UpdateTimeToLive},
};

const DynamoOperation* FindOperation(const std::string* target) {
  if (!target || !target->starts_with(kTargetPrefix)) return nullptr;
  const std::string_view name = std::string_view(*target).substr(kTargetPrefix.size());
  const auto* const found = std::find_if(std::begin(kOperations), std::end(kOperations),
                                         [&](const DynamoOperation& one) { return one.name == name; });
  return found == std::end(kOperations) ? nullptr : found;
}

bool IsPacked(const HttpRequest& request) {
  const std::string* coding = request.Header("Content-Encoding");
  return coding && !Trimmed(*coding).empty() && !EqualsIgnoringCase(Trimmed(*coding), "identity");
}

// Returns the body, unpacked if it is gzip.
DynamoResult<std::string> TextOf(const HttpRequest& request) {
  const DynamoError too_large{DynamoErrorType::kRequestTooLarge, "Request size exceeded"};
  if (request.body.size() > kBodyBytesMax) return too_large;
  if (!IsPacked(request)) return request.body;
  if (!EqualsIgnoringCase(Trimmed(*request.Header("Content-Encoding")), "gzip"))
    return DynamoError{DynamoErrorType::kUnsupportedCoding, "gzip is the only supported content coding"};
  std::string text;
  switch (Gunzip(request.body, kBodyBytesMax, &text)) {
    case GunzipFault::kNone:
      return text;
    case GunzipFault::kTooLarge:
      return too_large;
    case GunzipFault::kDamaged:
      break;
  }
  return DynamoError{DynamoErrorType::kSerialization, "The body is not usable gzip"};
}

std::optional<DynamoError> ReadBody(const HttpRequest& request, protocol::Document* out) {
  auto text = TextOf(request);
  if (!text.ok()) return std::move(text.error());
  protocol::DecodeLimits limits;
  limits.max_bytes = kBodyBytesMax;
  limits.max_values = kValuesMax;
  limits.max_depth = kDepthMax;
  if (protocol::DecodeJson(std::move(*text), limits, out) || !out->root.as_map())
    return DynamoError{DynamoErrorType::kSerialization, "The body is not a valid JSON object"};
  return std::nullopt;
}

DynamoError Throttled(std::string why, const accounts::Verdict& verdict) {
  DynamoError error{DynamoErrorType::kThrottling, std::move(why)};
  error.retry_after_ms = verdict.retry_after_ms;
  return error;
}

bool IsGuess(const DynamoError& error) {
  return error.type == DynamoErrorType::kUnrecognizedClient ||
         error.type == DynamoErrorType::kInvalidSignature;
}

// Authenticates and charges the caller. A table key has the rate limit of a tenant key.
DynamoResult<TableCaller> Admit(Node& node, TableAuthenticator& authenticator, const HttpRequest& request) {
  RateLimits& limits = node.rate_limits();
  if (const accounts::Verdict may_try = limits.MayTry(request.address); !may_try.allowed)
    return Throttled(kTooManyGuesses, may_try);
  auto who = authenticator.Authenticate(request);
  if (!who.ok()) {
    if (IsGuess(who.error())) limits.NoteGuess(request.address);
    return who;
  }
  if (!limits.Charges(who->tenant)) return who;
  const auto requester = limits.RequesterOfTableKey(who->tenant, who->key->id.ToText());
  if (const auto taken = limits.Take(requester, who->tenant, {}); !taken.allowed)
    return Throttled("Rate of requests exceeds the allowed throughput.", taken);
  return who;
}

void Run(IoThread& io, TableAuthenticator& authenticator, const DynamoOperation& operation,
         const HttpRequest& request, const DynamoCall::Respond& respond, const storage::Reader* off_loop) {
  auto who = Admit(io.node(), authenticator, request);
  if (!who.ok()) return respond(std::move(who.error()));
  auto body = std::make_shared<protocol::Document>();
  if (auto fault = ReadBody(request, body.get())) return respond(std::move(*fault));
  const std::string* host = request.Header("Host");
  operation.run({io, operation.name, std::move(*who), std::move(body), respond, off_loop, host ? *host : ""});
}

}  // namespace

std::span<const DynamoOperation> DynamoOperations() {
  return kOperations;
}

DynamoApi::DynamoApi(IoThread& io)
    : io_(io),
      authenticator_(io.node().table_keys(), io.node().tenants(), io.node().clock()),
      requests_(
          io.node().metrics().AddCounter("parley_table_requests_total", "Requests to the DynamoDB API")),
      refused_(
          io.node().metrics().AddCounter("parley_table_requests_refused_total",
                                         "Requests to the DynamoDB API that were answered with an error")) {}

bool DynamoApi::Serves(const HttpRequest& request, std::string_view path) {
  if (path == "/v1/dynamodb" || path == "/v1/dynamodb/") return true;
  return path == "/" && request.method == "POST" && request.Header("X-Amz-Target") != nullptr;
}

std::optional<HttpResponse> DynamoApi::JudgeHead(const HttpRequest& request) {
  RateLimits& limits = io_.node().rate_limits();
  std::optional<DynamoError> fault;
  if (const accounts::Verdict may_try = limits.MayTry(request.address); !may_try.allowed) {
    fault = Throttled(kTooManyGuesses, may_try);
  } else {
    fault = authenticator_.JudgeHead(request);
    if (fault && IsGuess(*fault)) limits.NoteGuess(request.address);
  }
  if (!fault) return std::nullopt;
  requests_.Add();
  refused_.Add();
  HttpResponse refusal = DynamoRefusal(*fault);
  refusal.route = kTablesRoute;
  return refusal;
}

void DynamoApi::Handle(std::shared_ptr<HttpExchange> exchange) {
  requests_.Add();
  const HttpRequest& request = exchange->request();
  const auto respond = [this, exchange](DynamoResult<DynamoBody> answer) {
    if (!answer.ok() || answer->status != 200) refused_.Add();
    HttpResponse response = answer.ok() ? DynamoAnswer(std::move(*answer)) : DynamoRefusal(answer.error());
    response.route = kTablesRoute;
    exchange->Respond(std::move(response));
  };
  const DynamoOperation* operation = FindOperation(request.Header("X-Amz-Target"));
  if (!operation)
    return respond(
        DynamoError{DynamoErrorType::kUnknownOperation, "The operation of X-Amz-Target is unknown"});
  if (io_.node().draining())
    return respond(DynamoError{DynamoErrorType::kServiceUnavailable, "The server is draining."});
  if (request.body.size() <= kBodyBytesOnLoopMax && !IsPacked(request))
    return Run(io_, authenticator_, *operation, request, respond, nullptr);
  const auto post = [&io = io_, respond](DynamoResult<DynamoBody> answer) {
    io.loop().Post([respond, answer = std::move(answer)]() mutable { respond(std::move(answer)); });
  };
  ReadJob job;
  job.read = [this, operation, exchange, post](const storage::Reader& reader) {
    Run(io_, authenticator_, *operation, exchange->request(), post, &reader);
  };
  job.finish = [] {};
  job.loop = &io_.loop();
  job.owner = "from " + request.address;  // the tenant is not known yet
  if (!io_.node().read_pool().Submit(job))
    respond(DynamoError{DynamoErrorType::kThrottling, "Too many requests are waiting. Try again."});
}

}  // namespace parley::gateway
