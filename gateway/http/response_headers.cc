#include "gateway/http/response_headers.h"

#include <utility>

#include "gateway/app/origin.h"

namespace parley::gateway {
namespace {

constexpr std::string_view kHeadersAllowed =
    "Authorization, Content-Type, Idempotency-Key, Parley-User, Tus-Resumable, Upload-Checksum, "
    "Upload-Length, "
    "Upload-Metadata, Upload-Offset";
constexpr std::string_view kHeadersShown =
    "Location, Retry-After, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, "
    "Upload-Expires, Upload-Length, Upload-Offset, X-RateLimit-Limit, X-RateLimit-Remaining, "
    "X-RateLimit-Reset";
constexpr std::string_view kPreflightSeconds = "600";

// Returns the origin of a page that may read the answer, or "" if no page may.
std::string ReaderOf(const Node& node, const HttpRequest& request) {
  const std::string* origin = request.Header("Origin");
  if (!origin) return {};
  if (node.config().demo) return *origin;  // the demo serves only its own machine
  const std::string foreign = ForeignOrigin(request);
  return !foreign.empty() && node.tenants().AnyAllows(foreign) ? foreign : std::string();
}

void AddFor(const std::string& reader, const std::string& route, HttpResponse* response) {
  if (response->route.empty()) response->route = route;
  response->headers.emplace_back("Vary", "Origin");  // even if no page may read it
  if (reader.empty() || response->refuses_page) return;
  response->headers.emplace_back("Access-Control-Allow-Origin", reader);
  response->headers.emplace_back("Access-Control-Expose-Headers", kHeadersShown);
}

class Mannered final : public HttpExchange {
 public:
  Mannered(const Node& node, std::shared_ptr<HttpExchange> exchange, std::string route)
      : exchange_(std::move(exchange)),
        route_(std::move(route)),
        reader_(ReaderOf(node, exchange_->request())) {}

  const HttpRequest& request() const override { return exchange_->request(); }
  void PauseBody(bool pause) override { exchange_->PauseBody(pause); }
  void Respond(HttpResponse response) override {
    AddFor(reader_, route_, &response);
    exchange_->Respond(std::move(response));
  }

 private:
  const std::shared_ptr<HttpExchange> exchange_;
  const std::string route_, reader_;
};

}  // namespace

std::shared_ptr<HttpExchange> WithResponseHeaders(const Node& node, std::shared_ptr<HttpExchange> exchange,
                                                  std::string route) {
  return std::make_shared<Mannered>(node, std::move(exchange), std::move(route));
}

void AddResponseHeaders(const Node& node, const HttpRequest& request, const std::string& route,
                        HttpResponse* response) {
  AddFor(ReaderOf(node, request), route, response);
}

HttpResponse OptionsAnswer(const Node& node, const HttpRequest& request, const std::string& methods,
                           HttpHeaders own) {
  HttpResponse answer{204, std::move(own), ""};
  answer.headers.emplace_back("Allow", methods + ", OPTIONS");
  const std::string reader = ReaderOf(node, request);
  if (reader.empty() || !request.Header("Access-Control-Request-Method")) return answer;
  answer.headers.emplace_back("Access-Control-Allow-Methods", methods);
  answer.headers.emplace_back("Access-Control-Allow-Headers", kHeadersAllowed);
  answer.headers.emplace_back("Access-Control-Max-Age", kPreflightSeconds);
  return answer;
}

}  // namespace parley::gateway
