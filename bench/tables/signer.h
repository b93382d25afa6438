// Requests to the DynamoDB API as an SDK sends them: a signed POST (AWS Signature Version 4, header form).
// Written by itself, since the server's code is what is measured. Pure functions, any thread.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace parley::bench {

struct TableCredentials {
  std::string access_key_id = "AKIDBENCH0000000000";  // enough for servers that do not look at it
  std::string secret = "none";
};

class RequestSigner {
 public:
  // Signatures hold for 15 minutes from `now` on.
  RequestSigner(const TableCredentials& credentials, std::string host, std::time_t now);
  // A whole HTTP request. `operation`: "PutItem".
  std::string Request(std::string_view operation, std::string_view body) const;

 private:
  const std::string host_, timestamp_, scope_, access_key_id_;
  std::string key_;
};

}  // namespace parley::bench
