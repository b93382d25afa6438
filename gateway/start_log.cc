#include "gateway/start_log.h"

#include <string>

#include "gateway/app/options.h"
#include "gateway/build_info.h"
#include "protocol/base/log.h"

namespace parley::gateway {
namespace {

constexpr size_t kLineBytesMax = 250;  // the log cuts longer values

}  // namespace

void LogStart(const Config& config, Node& node) {
  const auto log = [](std::string_view event, std::initializer_list<protocol::LogField> fields) {
    protocol::Log(protocol::LogLevel::kInfo, "gateway", event, fields);
  };
  const BuildInfo& build = ThisBuild();
  log("parleyd starts", {{"version", build.version}, {"commit", build.commit}, {"compiler", build.compiler}});
  log("the store is open", {{"data", config.data},
                            {"epoch", node.table().identity().epoch},
                            {"position", node.table().LastPosition()}});
  log("addresses", {{"listen", config.listen},
                    {"operators", config.admin_listen.empty() ? config.listen : config.admin_listen},
                    {"tls", config.tls_certificate.empty() ? "no" : config.tls_certificate}});
  log("files",
      {{"scan", config.files_scan == "none" ? "none: no file is scanned" : config.files_scan},
       {"bands", config.files_band == "none" ? "none: images and video are safe until judged" : "service"}});
  log("tenants", {{"count", node.tenants().size()}, {"demo", config.demo ? "yes" : "no"}});
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) log("options that differ from their defaults", {{"options", line}});
    line.clear();
  };
  for (const std::string& option : ChangedOptions(config)) {
    if (line.size() + option.size() >= kLineBytesMax) flush();
    line += (line.empty() ? "" : " ") + option;
  }
  flush();
}

}  // namespace parley::gateway
