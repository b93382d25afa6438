#include "ctl/http_client.h"

#include <curl/curl.h>
#include <strings.h>

#include "gateway/net/demo_guard.h"

namespace parley::ctl {
namespace {

constexpr size_t kServerAnswerMax = size_t{64} << 20;
constexpr long kConnectSeconds = 10, kAnswerSeconds = 60;

size_t Take(char* bytes, size_t size, size_t count, void* into) {
  std::string& body = *static_cast<std::string*>(into);
  if (body.size() + size * count > kServerAnswerMax) return 0;  // ends the transfer
  body.append(bytes, size * count);
  return size * count;
}

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

std::string PartOf(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return {};
  std::string out(text);
  curl_free(text);
  return out;
}

HeaderList HeadersOf(const HttpAsk& ask, const std::string& bearer) {
  curl_slist* list = nullptr;
  const auto add = [&list](const std::string& line) { list = curl_slist_append(list, line.c_str()); };
  if (ask.table_key.empty() && !bearer.empty()) add("Authorization: Bearer " + bearer);
  if (!ask.body.empty() && ask.table_key.empty()) add("Content-Type: application/json");
  for (const std::string& header : ask.headers) add(header);
  return HeaderList(list);
}

}  // namespace

struct HttpClient::Handle {
  CURL* curl = curl_easy_init();
  ~Handle() { curl_easy_cleanup(curl); }
};

HttpClient::HttpClient(Settings settings) : settings_(std::move(settings)), handle_(new Handle) {
  while (settings_.url.ends_with('/')) settings_.url.pop_back();
}

HttpClient::~HttpClient() = default;

std::string HttpClient::Fault() const {
  const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  if (!handle_->curl || !url) return "out of memory";
  if (curl_url_set(url.get(), CURLUPART_URL, settings_.url.c_str(), 0) != CURLUE_OK)
    return "--url is not a URL: " + settings_.url;
  const std::string scheme = PartOf(url.get(), CURLUPART_SCHEME);
  if (scheme != "https" && scheme != "http") return "--url must begin with https:// or http://";
  if (!PartOf(url.get(), CURLUPART_USER).empty() || !PartOf(url.get(), CURLUPART_QUERY).empty() ||
      !PartOf(url.get(), CURLUPART_FRAGMENT).empty())
    return "--url must have only scheme, host and port";
  if (scheme == "http" && !settings_.plain_http &&
      !gateway::NamesThisMachine(PartOf(url.get(), CURLUPART_HOST)))
    return "the key would be readable on the way: use https://, or pass --plain-http";
  return {};
}

// Connections outlive the reset.
void HttpClient::SetUp(const HttpAsk& ask, const std::string& url) {
  CURL* curl = handle_->curl;
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);  // an id may be ".."
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, kAnswerSeconds);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  // A proxy from the environment would read unencrypted requests with their key.
  if (::strncasecmp(url.c_str(), "https:", 6) != 0 && !settings_.plain_http)
    curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "parleyctl/" PARLEY_VERSION);
  if (!settings_.cacert.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, settings_.cacert.c_str());
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, ask.method.c_str());
  if (!ask.body.empty()) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(ask.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, ask.body.c_str());
  }
  if (!ask.table_key.empty()) {
    curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, "aws:amz:local:dynamodb");
    curl_easy_setopt(curl, CURLOPT_USERPWD, ask.table_key.c_str());
  }
}

HttpReply HttpClient::Ask(const HttpAsk& ask) {
  CURL* curl = handle_->curl;
  const std::string url = settings_.url + ask.target;
  const HeaderList headers = HeadersOf(ask, settings_.bearer);
  HttpReply reply;
  char why[CURL_ERROR_SIZE] = "";
  SetUp(ask, url);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, Take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply.body);
  const CURLcode code = curl_easy_perform(curl);
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr);
  reply.status = static_cast<int>(status);
  if (code != CURLE_OK) reply.trouble = *why ? why : curl_easy_strerror(code);
  return reply;
}

}  // namespace parley::ctl
