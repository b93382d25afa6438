#include "features/files/s3_settings.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

namespace parley::features {
namespace {

using protocol::Error;

constexpr std::string_view kS3Scheme = "s3://";

bool AreAll(std::string_view text, std::string_view more) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || more.find(c) != std::string_view::npos;
  });
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets it
  return value ? value : "";
}

// Only its owner may read the file, like other files with keys.
protocol::Result<S3Key> ReadKeyFile(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0)
    return Error::BadRequest("files_s3_credentials_file: " + path + " cannot be read");
  if ((facts.st_mode & 077) != 0)
    return Error::BadRequest("files_s3_credentials_file: others may access " + path + "; chmod 600 it");
  std::ifstream in(path);
  const auto key = ParseS3Key(std::string(std::istreambuf_iterator<char>(in), {}));
  if (!key)
    return Error::BadRequest("files_s3_credentials_file: " + path +
                             " has no aws_access_key_id and aws_secret_access_key");
  return *key;
}

protocol::Result<S3Key> ReadKey(const OptionText& option) {
  if (const std::string path = option("files_s3_credentials_file"); !path.empty()) return ReadKeyFile(path);
  S3Key key{FromEnvironment("AWS_ACCESS_KEY_ID"), FromEnvironment("AWS_SECRET_ACCESS_KEY"),
            FromEnvironment("AWS_SESSION_TOKEN")};
  if (key.id.empty() || key.secret.empty())
    return Error::BadRequest(
        "files_store: needs files_s3_credentials_file, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the "
        "environment");
  return key;
}

// Sets bucket and prefix.
bool ParseStore(std::string_view store, S3Settings* out) {
  if (!store.starts_with(kS3Scheme)) return false;
  store.remove_prefix(kS3Scheme.size());
  const size_t slash = std::min(store.find('/'), store.size());
  out->bucket = store.substr(0, slash);
  std::string_view prefix = store.substr(std::min(slash + 1, store.size()));
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  if (!AreAll(out->bucket, ".-") || out->bucket.size() < 3 || out->bucket.size() > 63) return false;
  if (prefix.empty()) return true;
  constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (prefix.size() > 256 || !AreAll(prefix, std::string(kUpper) + "._-/") || prefix.starts_with('/') ||
      prefix.find("//") != std::string_view::npos || prefix.find("..") != std::string_view::npos)
    return false;
  out->prefix = std::string(prefix) + "/";
  return true;
}

// Sets scheme and host. Amazon's own host if the endpoint is empty.
bool ParseEndpoint(std::string endpoint, S3Settings* out) {
  if (endpoint.empty()) endpoint = "https://s3." + out->region + ".amazonaws.com";
  while (endpoint.ends_with('/')) endpoint.pop_back();
  const size_t end = endpoint.find("://");
  if (end == std::string::npos) return false;
  out->scheme = endpoint.substr(0, end);
  out->host = endpoint.substr(end + 3);
  for (const char* usual : {out->scheme == "http" ? ":80" : ":443"}) {
    if (out->host.ends_with(usual)) out->host.resize(out->host.size() - std::string_view(usual).size());
  }
  return (out->scheme == "https" || out->scheme == "http") && AreAll(out->host, ".-:[]");
}

}  // namespace

std::optional<S3Key> ParseS3Key(std::string_view text) {
  S3Key key;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = Trim(line.substr(0, equals)), value = Trim(line.substr(equals + 1));
    if (name == "aws_access_key_id") key.id = value;
    if (name == "aws_secret_access_key") key.secret = value;
    if (name == "aws_session_token") key.session_token = value;
  }
  if (key.id.empty() || key.secret.empty()) return std::nullopt;
  return key;
}

protocol::Result<std::optional<S3Settings>> ReadS3Settings(const OptionText& option) {
  const std::string store = option("files_store");
  if (store.empty()) return std::optional<S3Settings>();
  S3Settings out;
  if (!ParseStore(store, &out)) return Error::BadRequest("files_store: must be empty or s3://BUCKET/PREFIX");
  out.region = option("files_s3_region");
  if (!AreAll(out.region, "-")) return Error::BadRequest("files_s3_region: must be the name of a region");
  if (!ParseEndpoint(option("files_s3_endpoint"), &out))
    return Error::BadRequest("files_s3_endpoint: must be https://HOST, http://HOST:PORT or empty");
  if (option("files_s3_path_style") == "true") {
    out.base = "/" + out.bucket;
  } else {
    out.host = out.bucket + "." + out.host;
  }
  PARLEY_TRY(key, ReadKey(option));
  out.key = std::move(key);
  return std::optional(std::move(out));
}

}  // namespace parley::features
