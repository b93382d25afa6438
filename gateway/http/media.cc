#include "gateway/http/media.h"

#include <utility>

#include "gateway/net/compression.h"
#include "gateway/net/header.h"

namespace parley::gateway {
namespace {

bool TakesBody(std::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

bool HasEnding(std::string_view text, std::string_view end) {
  return text.size() > end.size() && EqualsIgnoringCase(text.substr(text.size() - end.size()), end);
}

// The request with another body.
class Unpacked final : public HttpExchange {
 public:
  Unpacked(std::shared_ptr<HttpExchange> exchange, std::string body)
      : exchange_(std::move(exchange)), request_(exchange_->request()) {
    request_.body = std::move(body);
  }
  const HttpRequest& request() const override { return request_; }
  void Respond(HttpResponse response) override { exchange_->Respond(std::move(response)); }

 private:
  const std::shared_ptr<HttpExchange> exchange_;
  HttpRequest request_;
};

std::optional<HttpResponse> Unpack(size_t bytes_max, std::shared_ptr<HttpExchange>* exchange) {
  std::string text;
  switch (Gunzip((*exchange)->request().body, bytes_max, &text)) {
    case GunzipFault::kNone:
      *exchange = std::make_shared<Unpacked>(*exchange, std::move(text));
      return std::nullopt;
    case GunzipFault::kTooLarge:
      return HttpResponse{413, {}, "the body is too large"};
    case GunzipFault::kDamaged:
      break;
  }
  return HttpResponse{400, {}, "the body is not usable gzip"};
}

}  // namespace

bool IsReadAsJson(const std::string* content_type) {
  if (!content_type) return true;
  const std::string_view type = Trimmed(std::string_view(*content_type).substr(0, content_type->find(';')));
  if (type.empty() || HasEnding(type, "+json")) return true;
  return EqualsIgnoringCase(type, "application/json") || EqualsIgnoringCase(type, "text/json") ||
         EqualsIgnoringCase(type, "application/x-www-form-urlencoded");
}

std::optional<HttpResponse> MakeReadable(size_t bytes_max, std::shared_ptr<HttpExchange>* exchange) {
  const HttpRequest& request = (*exchange)->request();
  if (!TakesBody(request.method) || request.body.empty()) return std::nullopt;
  if (!IsReadAsJson(request.Header("Content-Type")))
    return HttpResponse{415, {{"Accept-Post", "application/json"}}, "the body must be application/json"};
  const std::string* coding = request.Header("Content-Encoding");
  if (!coding || Trimmed(*coding).empty() || EqualsIgnoringCase(Trimmed(*coding), "identity"))
    return std::nullopt;
  if (!EqualsIgnoringCase(Trimmed(*coding), "gzip"))
    return HttpResponse{415, {{"Accept-Encoding", "gzip"}}, "gzip is the only supported content coding"};
  return Unpack(bytes_max, exchange);
}

}  // namespace parley::gateway
