// Signs requests to the DynamoDB API as an SDK does: a POST with AWS Signature Version 4 in its header.
// Independent code, because the server's is being measured. Pure functions, any thread.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace parley::bench {

struct TableCredentials {
  std::string access_key_id = "AKIDBENCH0000000000";  // enough for servers that ignore it
  std::string secret = "none";
};

class RequestSigner {
 public:
  // Signatures are valid for 15 minutes from `now` on.
  RequestSigner(const TableCredentials& credentials, std::string host, std::time_t now);
  // A whole HTTP request. `operation`: "PutItem".
  std::string Request(std::string_view operation, std::string_view body) const;

 private:
  const std::string host_, timestamp_, scope_, access_key_id_;
  std::string key_;
};

}  // namespace parley::bench
