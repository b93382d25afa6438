#include "gateway/http/static_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gateway/net/compression.h"

namespace parley::gateway {
namespace {

// Vite names files by a hash of their content in folders named `assets`, one beside each page.
bool IsNamedByContent(const std::filesystem::path& name) {
  return name.parent_path().filename() == "assets";
}

constexpr uintmax_t kFileMax = uintmax_t{16} << 20;

std::string TypeOf(const std::filesystem::path& path) {
  static const std::unordered_map<std::string, std::string> types = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".json", "application/json"},
      {".webmanifest", "application/manifest+json"},
      {".txt", "text/plain; charset=utf-8"},
      {".map", "application/json"}};
  const auto found = types.find(path.extension().string());
  return found == types.end() ? "application/octet-stream" : found->second;
}

// Some browsers do not apply 'self' to WebSockets of the same host, so name the host. A host that could be
// read as more than one source of the policy is left out.
std::string SocketsOf(const std::string& host) {
  constexpr std::string_view kMore = ".-_:[]";
  const bool is_source = !host.empty() && std::all_of(host.begin(), host.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMore.find(c) != std::string_view::npos;
  });
  return is_source ? " ws://" + host + " wss://" + host : std::string();
}

}  // namespace

std::string StaticFiles::Load(const std::string& dir) {
  if (dir.empty()) return {};
  std::error_code error;
  std::filesystem::recursive_directory_iterator at(dir, error), end;
  if (error) return "the web client's directory " + dir + " cannot be read: " + error.message();
  for (; at != end; at.increment(error)) {
    if (error) return "the web client's directory " + dir + " cannot be read: " + error.message();
    if (!at->is_regular_file(error) || at->file_size(error) > kFileMax) continue;
    std::ifstream in(at->path(), std::ios::binary);
    std::ostringstream body;
    body << in.rdbuf();
    const std::string name = "/" + std::filesystem::relative(at->path(), dir).generic_string();
    const std::string type = TypeOf(at->path());
    std::shared_ptr<const std::string> gzipped = GzipAhead({200, {{"Content-Type", type}}, body.str()});
    files_[name] = {type, body.str(), IsNamedByContent(name), std::move(gzipped)};
  }
  if (!files_.contains("/index.html")) return "the web client's directory " + dir + " has no index.html";
  return {};
}

bool StaticFiles::Find(const std::string& path, const std::string& host, HttpResponse* out) const {
  auto found = files_.find(path);
  if (found == files_.end()) found = files_.find(path + (path.ends_with('/') ? "index.html" : "/index.html"));
  if (found == files_.end()) return false;
  out->status = 200;
  out->body = found->second.body;
  out->gzipped = found->second.gzipped;
  out->headers = {
      {"Content-Type", found->second.type},
      {"Cache-Control", found->second.immutable ? "public, max-age=31536000, immutable" : "no-cache"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Content-Security-Policy",
       "default-src 'self'; connect-src 'self'" + SocketsOf(host) +
           "; img-src 'self' data:; style-src 'self' 'unsafe-inline'; form-action 'none'; object-src 'none'; "
           "frame-ancestors 'none'; base-uri 'none'"},
      {"Cross-Origin-Opener-Policy", "same-origin"}};
  return true;
}

}  // namespace parley::gateway
