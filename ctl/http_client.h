// Requests to a server, one after the other, over one kept connection. Certificates are verified, redirects
// are not followed, and a key goes out in the clear only to this machine, or where somebody said that it may.
//
// Not thread-safe. REQUIRES: one thread when the first is made.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace parley::ctl {

struct HttpAsk {
  std::string method, target;  // "/v1/tenants?limit=200"
  std::string body = {};       // JSON; empty: none
  std::vector<std::string> headers = {};
  std::string table_key = {};  // "id:secret": signs the request (SigV4) in the place of the bearer
};

struct HttpTold {
  std::string trouble;  // not empty: nothing was answered, and this is why
  int status = 0;
  std::string body;
};

class HttpClient {
 public:
  struct Settings {
    std::string url;  // of the server, without a path unless it is served under one
    std::string bearer = {};
    std::string cacert = {};  // file; empty: the system's
    bool plain_http = false;  // to any machine
  };
  explicit HttpClient(Settings settings);
  ~HttpClient();

  // Empty, or why nothing can be asked of this URL.
  std::string Fault() const;
  HttpTold Ask(const HttpAsk& ask);

 private:
  struct Handle;

  void SetUp(const HttpAsk& ask, const std::string& url);

  Settings settings_;
  std::unique_ptr<Handle> handle_;
};

// As a part of a path or a query.
std::string PercentEncoded(std::string_view text);

}  // namespace parley::ctl
