// Sends requests to a server, one after the other, over one kept connection. Certificates are verified,
// redirects are not followed, and a key is sent in the clear only to this machine, or if an option allows it.
//
// Not thread-safe. REQUIRES: one thread when the first is made.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace parley::ctl {

struct HttpAsk {
  std::string method, target;  // "/v1/tenants?limit=200"
  std::string body = {};       // JSON, or empty
  std::vector<std::string> headers = {};
  std::string table_key = {};  // "id:secret": signs the request (SigV4) instead of the bearer
};

struct HttpReply {
  std::string trouble;  // the error, if there was no response
  int status = 0;
  std::string body;
};

class HttpClient {
 public:
  struct Settings {
    std::string url;  // the server's, without a path unless it is served under one
    std::string bearer = {};
    std::string cacert = {};  // a file; empty: the system's
    bool plain_http = false;  // to any machine
  };
  explicit HttpClient(Settings settings);
  ~HttpClient();

  // Returns why this URL cannot be used, or nothing.
  std::string Fault() const;
  HttpReply Ask(const HttpAsk& ask);

 private:
  struct Handle;

  void SetUp(const HttpAsk& ask, const std::string& url);

  Settings settings_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace parley::ctl
