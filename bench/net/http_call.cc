#include "bench/net/http_call.h"

#include <cstdlib>

#include "bench/measure/cpu.h"
#include "bench/net/http_client.h"

namespace parley::bench {
namespace {

constexpr int64_t kAnswerNs = 30'000'000'000;

class OneAnswer final : public HttpClient::Listener {
 public:
  HttpAnswer answer;
  bool over = false;

 private:
  void OnAnswer(HttpClient&, int status, std::string_view body) override {
    answer = {status, std::string(body)};
    over = true;
  }
  void OnLost(HttpClient& client) override {
    if (!over) answer.body = client.fault();
    over = true;
  }
};

std::optional<std::string> GoodBody(HttpAnswer answer) {
  if (answer.status != 200 && answer.status != 201) return std::nullopt;
  return std::move(answer.body);
}

}  // namespace

HttpAnswer CallHttp(const Origin& origin, const std::string& request) {
  Poller poller;
  OneAnswer listener;
  listener.answer.body = "no answer in time";
  HttpClient client(poller, origin, listener);
  client.Send(request);
  const int64_t until = NowNs() + kAnswerNs;
  while (!listener.over && NowNs() < until) poller.Poll(until);
  return std::move(listener.answer);
}

HttpAnswer ReadHttp(const Origin& origin, const std::string& path) {
  return CallHttp(origin,
                  "GET " + path + " HTTP/1.1\r\nHost: " + origin.host + "\r\nConnection: close\r\n\r\n");
}

std::optional<std::string> HttpGet(const Origin& origin, const std::string& path) {
  return GoodBody(ReadHttp(origin, path));
}

HttpAnswer AskHttp(const Origin& origin, const std::string& path, const std::string& json,
                   const std::string& bearer) {
  std::string head = "POST " + path + " HTTP/1.1\r\nHost: " + origin.host +
                     "\r\nConnection: close\r\nContent-Type: application/json\r\n";
  if (!bearer.empty()) head += "Authorization: Bearer " + bearer + "\r\n";
  return CallHttp(origin, head + "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json);
}

std::optional<std::string> HttpPost(const Origin& origin, const std::string& path, const std::string& json,
                                    const std::string& bearer) {
  return GoodBody(AskHttp(origin, path, json, bearer));
}

std::optional<double> FindMetric(const std::string& exposition, const std::string& name) {
  std::optional<double> sum;
  for (size_t at = 0; at < exposition.size();) {
    size_t end = exposition.find('\n', at);
    if (end == std::string::npos) end = exposition.size();
    const std::string line = exposition.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(name) || (line[name.size()] != ' ' && line[name.size()] != '{')) continue;
    sum = sum.value_or(0) + std::strtod(line.c_str() + line.rfind(' '), nullptr);
  }
  return sum;
}

}  // namespace parley::bench
