// Where the bucket is and with which key to ask for it: the options files_store and files_s3_….
//
// Pure, except ReadS3Settings, which reads the file of the key and the environment.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

namespace parley::features {

struct S3Key {
  std::string id = {}, secret = {};
  std::string session_token = {};  // for temporary keys; empty: none
};

struct S3Settings {
  std::string bucket = {};
  std::string prefix = {};  // for all keys; empty, or ends with '/'
  std::string scheme = {};  // "https" or "http"
  std::string host = {};    // with the port if it is not the scheme's
  std::string base = {};    // "/BUCKET" if the bucket is in the path, otherwise empty: it is in the host
  std::string region = {};
  S3Key key = {};
};

using OptionText = std::function<std::string(std::string_view key)>;

// nullopt: files_store is empty, so the store is a directory. An error's message names the option, but never
// a part of the key.
protocol::Result<std::optional<S3Settings>> ReadS3Settings(const OptionText& option);

// Reads "aws_access_key_id = …", "aws_secret_access_key = …" and perhaps "aws_session_token = …", as in the
// credentials files of AWS; other lines are ignored. nullopt: one of the first two is missing.
std::optional<S3Key> ParseS3Key(std::string_view text);

}  // namespace parley::features
