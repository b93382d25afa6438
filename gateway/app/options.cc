#include "gateway/app/options.h"

#include <algorithm>
#include <charconv>

#include <utility>

#include "features/files/scanner.h"
#include "features/files/store_choice.h"
#include "gateway/net/address.h"
#include "gateway/net/demo_guard.h"
#include "protocol/json_size.h"
#include "protocol/ops/all.h"
#include "threads/engine/tracer.h"
#include "threads/model/card_kinds.h"

namespace parley::gateway {
namespace {

using C = Config;
constexpr int64_t kDayMs = 24 * 3600 * 1000;
constexpr int64_t kGiB = int64_t{1} << 30;
constexpr int64_t kLeastBlockCache = 8 << 20;
constexpr const char* kAdvanced = "Advanced: the defaults suit almost every server";

std::string WithDashes(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

bool ParseInt(const std::string& text, int64_t* out) {
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, *out);
  return error == std::errc() && at == end;
}

bool ParseBool(const std::string& text, bool* out) {
  if (text == "true" || text == "1") return *out = true, true;
  if (text == "false" || text == "0") return *out = false, true;
  return false;
}

// Returns "" on success.
std::string Assign(const Option& option, const std::string& text, Config* config) {
  if (const auto* number = std::get_if<int64_t C::*>(&option.member)) {
    int64_t value = 0;
    if (!ParseInt(text, &value)) return "must be a whole number";
    if (value < option.low || value > option.high) {
      return "must be between " + std::to_string(option.low) + " and " + std::to_string(option.high);
    }
    config->*(*number) = value;
  } else if (const auto* flag = std::get_if<bool C::*>(&option.member)) {
    if (!ParseBool(text, &(config->*(*flag)))) return "must be true or false";
  } else {
    config->*std::get<std::string C::*>(option.member) = text;
  }
  return {};
}

const Option* FindOption(const std::string& key) {
  for (const Option& option : Options()) {
    if (option.key == key) return &option;
  }
  return nullptr;
}

}  // namespace

const std::vector<Option>& Options() {
  static const std::vector<Option> options = {
      {"data", &C::data, 0, 0, "Addresses and threads", "directory of the store; created if missing"},
      {"listen", &C::listen, 0, 0, "Addresses and threads",
       "host:port for WebSocket and HTTP; port 0 picks a free one"},
      {"web", &C::web, 0, 0, "Addresses and threads",
       "directory of the built web client, served at /; empty serves none"},
      {"tls_certificate", &C::tls_certificate, 0, 0, "Addresses and threads",
       "PEM file with the certificate chain; enables wss and https"},
      {"tls_key", &C::tls_key, 0, 0, "Addresses and threads",
       "PEM file with the private key, readable only by its owner; SIGHUP reloads both files"},
      {"sealing_key_file", &C::sealing_key_file, 0, 0, "Addresses and threads",
       "file with the keys that seal secrets in the store, created at the first start; keep it apart from "
       "the data and its backups; empty: sealing.key in the data's directory"},
      {"admin_listen", &C::admin_listen, 0, 0, "Addresses and threads",
       "host:port of a separate listener for /metrics and requests with the operator key, which the other "
       "listener then answers with 404; empty: one listener for all"},
      {"trusted_proxies", &C::trusted_proxies, 0, 0, "Addresses and threads",
       "addresses and networks (10.0.0.0/8, fd00::/8), separated by commas, whose X-Forwarded-For is trusted "
       "to name the client's address"},
      {"io_threads", &C::io_threads, 1, 64, "Addresses and threads",
       "threads that serve connections, each with its own listening socket on the same port"},
      {"executor_threads", &C::executor_threads, 1, 64, "Addresses and threads",
       "threads that decide commands, each for its share of the conversations; they commit together"},
      {"reader_threads", &C::reader_threads, 1, 256, "Addresses and threads",
       "threads that read rows from disk that are not in memory; more help if the disk serves many reads at "
       "once"},
      {"files_dir", &C::files_dir, 0, 0, "Files",
       "directory of the bytes of uploaded files; empty: files in the data's directory"},
      {"files_store", &C::files_store, 0, 0, "Files",
       "s3://BUCKET/PREFIX: complete files are in a bucket of S3, and files_dir has incomplete uploads only; "
       "empty: all are in files_dir"},
      {"files_s3_endpoint", &C::files_s3_endpoint, 0, 0, "Files",
       "URL of the S3 service, https://HOST or http://HOST:PORT; empty: Amazon's in files_s3_region"},
      {"files_s3_region", &C::files_s3_region, 0, 0, "Files", "region of the bucket, which requests name"},
      {"files_s3_path_style", &C::files_s3_path_style, 0, 0, "Files",
       "the bucket is in the path of URLs and not in the name of the host, as MinIO and others need it"},
      {"files_s3_credentials_file", &C::files_s3_credentials_file, 0, 0, "Files",
       "file with aws_access_key_id and aws_secret_access_key, which only its owner may read; empty: "
       "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the environment"},
      {"files_redirect", &C::files_redirect, 0, 0, "Files",
       "links to files of band 0 redirect to the bucket, for 60 seconds each, instead of passing the bytes "
       "through the server"},
      {"files_media", &C::files_media, 0, 0, "Files",
       "path of parley-media, which makes thumbs and previews of images; empty: parley-media beside parleyd; "
       "none: images have no variants"},
      {"files_scan", &C::files_scan, 0, 0, "Files",
       "scans uploaded files for malware before anybody can fetch them: clamd:PATH or clamd:HOST:PORT, the "
       "socket of ClamAV's daemon; service, the verdict of the tenant's back end; or none"},
      {"files_band", &C::files_band, 0, 0, "Files",
       "who judges images and video for Safe-Mode: service, the tenant's back end, until whose verdict they "
       "are blurred; or none, and they are safe until staff or the back end say otherwise"},
      {"files_band_patience_s", &C::files_band_patience_s, 0, 86'400, "Files",
       "seconds in which images and video wait for the verdict before they are shown blurred, if files_band "
       "is service"},
      {"demo", &C::demo, 0, 0, "Access", "a tenant `demo` with tokens for anyone; listens on loopback only"},
      {"card_ports", &C::card_ports, 0, 0, "Access",
       "the action cards' effects that the tenants' back end carries out, separated by commas: booking, "
       "payment, cases, scan, events; cards wait for these only"},
      {"staff_access", &C::staff_access, 0, 0, "Access",
       "the threads that staff may look into: all of the tenant's, or only those with an open case (cases)"},
      {"max_frame_bytes", &C::max_frame_bytes, 1024, 16 << 20, "Limits",
       "largest frame or HTTP body accepted, in bytes"},
      {"max_body_bytes", &C::max_body_bytes, 1, 1 << 20, "Limits", "largest message body, in bytes of UTF-8"},
      {"edit_window_ms", &C::edit_window_ms, 0, 3650 * kDayMs, "Limits",
       "time in which an author may edit or delete a message, in milliseconds"},
      {"max_connections", &C::max_connections, 1, 1'000'000, "Limits", "connections at once"},
      {"max_connections_per_address", &C::max_connections_per_address, 1, 1'000'000, "Limits",
       "connections from one address, or one /64 of IPv6; loopback is exempt under --demo"},
      {"max_sessions_per_user", &C::max_sessions_per_user, 1, 1'000'000, "Limits",
       "sessions of one user at once"},
      {"tables_per_tenant", &C::tables_per_tenant, 0, 10'000, "Limits",
       "tables that a tenant may create in addition to the server's"},
      {"table_bytes_per_tenant", &C::table_bytes_per_tenant, 1 << 20, 65'536 * kGiB, "Limits",
       "total size of the items in a tenant's tables, as DynamoDB counts it; above this, a write that adds "
       "items gets LimitExceededException"},
      {"rate_limits", &C::rate_limits, 0, 0, "Rates",
       "the demo tenant has the same limits as other tenants, unless its settings differ"},
      {"message_requests", &C::message_requests, 0, 0, "Rates",
       "strangers in the demo tenant must send a message request first, as in other tenants, unless its "
       "settings differ"},
      {"session_requests_per_second", &C::session_requests_per_second, 0, 1'000'000, "Rates",
       "requests of one session, and the size of its bursts, if the tenant limits requests; 0: no limit"},
      {"tenant_requests_per_second", &C::tenant_requests_per_second, 0, 10'000'000, "Rates",
       "requests of a whole tenant, and the size of its bursts, whatever the tenant's settings; 0: no limit"},
      {"failed_credentials_per_minute", &C::failed_credentials_per_minute, 0, 1'000'000, "Rates",
       "bad credentials from one address (or one /64 of IPv6), and the size of bursts; above this, "
       "credentials from there are rejected unchecked; 0: no limit"},
      {"folders", &C::folders, 0, 0, "Inbox",
       "folders offered in addition to the standard ones to tenants that set none, separated by commas: "
       "starred, inquiries, invites, bookings, offers, disputes; or a set: g2 (starred, inquiries, invites, "
       "bookings, disputes), g3 (bookings, offers)"},
      {"idle_archive_days", &C::idle_archive_days, 1, 36'500, "Inbox",
       "a thread without a new message for this many days is archived in its members' inboxes"},
      {"heartbeat_ms", &C::heartbeat_ms, 100, 3'600'000, "Time",
       "a silent session is pinged after this time, and closed after twice this time"},
      {"drain_seconds", &C::drain_seconds, 1, 3600, "Time",
       "sessions are closed in waves within this long after SIGTERM"},
      {"clock_ahead_max", &C::clock_ahead_max, 1, 31'536'000, "Time",
       "seconds by which the clock may be set ahead while the server runs; after a larger step, writes are "
       "rejected until the clock is set back or confirmed by `parleyctl clock --confirm`"},
      {"block_cache_bytes", &C::block_cache_bytes, 0, int64_t{1} << 40, "Storage",
       "memory for cached blocks of the store, at least 8 MiB; 0: an eighth of the machine's memory or of "
       "the rest in its control group, at least 64 MiB"},
      {"access_log", &C::access_log, 0, 0, "Logs",
       "one log line of level info per plain HTTP request: route, status, time, sizes, address; "
       "--access-log=false disables it"},
      {"access_log_ops", &C::access_log_ops, 0, 0, "Logs",
       "one log line of level info per op of a WebSocket session: op, code, time, size, session; it costs "
       "some microseconds per op"},
      {"trace", &C::trace, 0, 0, "Logs",
       "requests to follow from socket to delivery, separated by commas: thread=ID, user=ID, session=ID; "
       "one log line of level info per step"},
      {"log_level", &C::log_level, 0, 0, "Logs",
       "debug, info, warn, error or off; log lines are written to stderr"},
      {"io_uring", &C::io_uring, 0, 0, kAdvanced,
       "write to many connections with one system call, if the system allows it; --io-uring=false disables "
       "it"},
      {"max_in_flight", &C::max_in_flight, 1, 65'536, kAdvanced,
       "unanswered requests of a session before the server stops reading from it"},
      {"outbox_bytes", &C::outbox_bytes, 64 * 1024, kGiB, kAdvanced,
       "bytes queued for a session that reads slowly; a session that exceeds them is closed with 4508"},
      {"max_page_bytes", &C::max_page_bytes, 1 << 20, 16 << 20, kAdvanced,
       "size of a page of messages, changes, entries and so on, as JSON"},
      {"reader_bytes", &C::reader_bytes, 16 << 20, 64 * kGiB, kAdvanced,
       "bytes queued for all readers together, including HTTP; above this, the readers with the most bytes "
       "are disconnected"},
      {"reader_queue", &C::reader_queue, 1, 1'000'000, kAdvanced,
       "reads that may wait for a reader thread, at most half of them for one tenant; above this, sessions "
       "wait and HTTP requests get UNAVAILABLE"},
      {"http_body_bytes", &C::http_body_bytes, 32 << 20, 64 * kGiB, kAdvanced,
       "bytes of HTTP bodies in memory, from their arrival to the answer; above this, the slowest body is "
       "evicted, or a request gets 503 before its body is read; one address may use a quarter"},
      {"hello_timeout_ms", &C::hello_timeout_ms, 100, 600'000, kAdvanced,
       "a socket that sends no session.hello within this time is closed"},
      {"http_idle_timeout_ms", &C::http_idle_timeout_ms, 1'000, 3'600'000, kAdvanced,
       "an HTTP connection without a request for this long is closed"},
      {"presence_ttl_ms", &C::presence_ttl_ms, 1'000, 3'600'000, kAdvanced,
       "presence expires this long after the last request"},
      {"typing_ttl_ms", &C::typing_ttl_ms, 1'000, 600'000, kAdvanced, "typing expires after this time"},
      {"reconnect_within_ms", &C::reconnect_within_ms, 0, 600'000, kAdvanced,
       "clients of a draining server spread their reconnects over this time"},
      {"inbox_wait_ms", &C::inbox_wait_ms, 1, 60'000, kAdvanced,
       "time that a read of the inbox waits for its projection"},
      {"fanout_gather_ms", &C::fanout_gather_ms, 0, 1'000, kAdvanced,
       "under load, inboxes are updated this often, or at once when a user reads one"},
      {"fanout_patience_ms", &C::fanout_patience_ms, 0, 10'000, kAdvanced,
       "messages that all their readers receive as events wait this long for others in their threads before "
       "they update inbox entries, unless many wait or a user reads an inbox; 0: no longer than "
       "fanout_gather_ms"},
      {"memtable_bytes", &C::memtable_bytes, 1 << 20, kGiB, kAdvanced,
       "size at which a memtable is flushed; small memtables insert faster"},
      {"scrub_rows_per_second", &C::scrub_rows_per_second, 0, 10'000'000, kAdvanced,
       "rows read in the background to compare inboxes and indexes with the threads from which they are "
       "derived; 0: none"},
  };
  return options;
}

int64_t AnswerBytes(const Config& config) {
  return 4 * config.max_page_bytes;
}

std::string FlagOf(const Option& option) {
  return "--" + WithDashes(option.key);
}

std::string EnvironmentOf(const Option& option) {
  std::string out = "PARLEY_";
  for (const char* c = option.key; *c; ++c)
    out += *c >= 'a' && *c <= 'z' ? static_cast<char>(*c - 'a' + 'A') : *c;
  return out;
}

std::string ValueOf(const Option& option, const Config& config) {
  if (const auto* number = std::get_if<int64_t C::*>(&option.member))
    return std::to_string(config.*(*number));
  if (const auto* flag = std::get_if<bool C::*>(&option.member)) return config.*(*flag) ? "true" : "false";
  return config.*std::get<std::string C::*>(option.member);
}

std::string ValueOfOption(const Config& config, std::string_view key) {
  const Option* option = FindOption(std::string(key));
  return option ? ValueOf(*option, config) : std::string();
}

std::string DefaultOf(const Option& option) {
  return ValueOf(option, Config());
}

std::vector<std::string> ChangedOptions(const Config& config) {
  std::vector<std::string> out;
  for (const Option& option : Options()) {
    const std::string value = ValueOf(option, config);
    if (value != DefaultOf(option)) out.push_back(option.key + ("=" + value));
  }
  return out;
}

std::vector<std::string> Fill(const std::vector<Source>& sources, Config* config) {
  std::vector<std::string> errors;
  for (const Source& source : sources) {
    for (const auto& [key, text] : source.values) {
      const Option* option = FindOption(key);
      const std::string why = option ? Assign(*option, text, config) : "unknown option";
      if (!why.empty()) errors.push_back(source.origin + ": " + key + ": " + why);
    }
  }
  return errors;
}

namespace {
// The largest size of a message as JSON: its body in control characters, 64 reactions by a hundred users, 20
// attachments, 16 policy hints, a card's payload.
int64_t LargestMessage(const Config& config) {
  constexpr int64_t kBesideTheBody = 840 * 1024;
  return kBesideTheBody + static_cast<int64_t>(protocol::kJsonPerMsgpackByte) * config.max_body_bytes;
}

// Splits names separated by commas, with or without blanks.
std::vector<std::string> NamesIn(const std::string& list) {
  std::vector<std::string> names;
  std::string name;
  for (const char c : list + ",") {
    if (c != ',' && c != ' ') {
      name += c;
    } else if (!name.empty()) {
      names.push_back(std::exchange(name, {}));
    }
  }
  return names;
}

}  // namespace

protocol::FolderSet OfferedFolders(const Config& config) {
  protocol::FolderSet out = protocol::kStandardFolders;
  for (const std::string& name : NamesIn(config.folders)) out |= protocol::FoldersNamed(name);
  return out;
}

std::vector<std::string> TracesOf(const Config& config) {
  return NamesIn(config.trace);
}

namespace {
void CheckTraces(const Config& config, std::vector<std::string>* errors) {
  const std::vector<std::string> traces = TracesOf(config);
  if (traces.size() > threads::Tracer::kRulesMax)
    errors->push_back("trace: must not have more than " + std::to_string(threads::Tracer::kRulesMax));
  for (const std::string& one : traces) {
    if (const std::string why = threads::Tracer::FaultOf(one); !why.empty())
      errors->push_back("trace: " + one + ": " + why);
  }
}
}  // namespace

std::vector<std::string> Check(const Config& config) {
  std::vector<std::string> errors;
  std::string host;
  uint16_t port = 0;
  if (!SplitHostPort(config.listen, &host, &port)) {
    errors.push_back("listen: must be host:port");
  } else if (std::string address; config.demo) {
    const std::string why = ResolveLoopback(host, &address);
    if (!why.empty()) errors.push_back("listen: " + why);
  }
  if (!config.admin_listen.empty() && !SplitHostPort(config.admin_listen, &host, &port))
    errors.push_back("admin_listen: must be host:port");
  if (std::string why; !TrustedProxies::Parse(config.trusted_proxies, &why))
    errors.push_back("trusted_proxies: " + why);
  CheckTraces(config, &errors);
  if (config.tls_certificate.empty() != config.tls_key.empty()) {
    errors.push_back("tls_certificate and tls_key: give both or neither");
  }
  if (config.max_body_bytes > config.max_frame_bytes)
    errors.push_back("max_body_bytes: must not exceed max_frame_bytes");
  if (!FindCardPorts(config))
    errors.push_back("card_ports: must be among booking, payment, cases, scan, events, separated by commas");
  if (config.staff_access != "all" && config.staff_access != "cases")
    errors.push_back("staff_access: must be all or cases");
  const auto option = [&](std::string_view key) { return ValueOfOption(config, key); };
  if (const auto status = features::CheckStoreOptions(option); !status.ok())
    errors.push_back(status.error().message);
  if (config.files_redirect && config.files_store.empty())
    errors.push_back("files_redirect: needs a bucket in files_store");
  if (!features::ParseScanChoice(config.files_scan))
    errors.push_back("files_scan: must be none, clamd:/PATH, clamd:HOST:PORT or service");
  if (config.files_band != "none" && config.files_band != "service")
    errors.push_back("files_band: must be none or service");
  if (config.outbox_bytes < config.max_frame_bytes)
    errors.push_back("outbox_bytes: must fit at least one frame");
  if (config.max_page_bytes < LargestMessage(config))
    errors.push_back("max_page_bytes: must fit the largest message, " +
                     std::to_string(LargestMessage(config)) + " bytes with this max_body_bytes");
  if (config.outbox_bytes < 4 * config.max_page_bytes)
    errors.push_back("outbox_bytes: must be four times max_page_bytes, to fit an answer of several pages");
  if (config.reader_bytes < 4 * config.outbox_bytes ||
      config.reader_bytes < 2 * (config.io_threads + config.reader_threads) * AnswerBytes(config))
    errors.push_back(
        "reader_bytes: must be four times outbox_bytes, and eight times max_page_bytes for each of "
        "io_threads and reader_threads");
  if (config.block_cache_bytes > 0 && config.block_cache_bytes < kLeastBlockCache)
    errors.push_back("block_cache_bytes: must be 0, or 8 MiB or more");
  for (const std::string& name : NamesIn(config.folders)) {
    if (protocol::FoldersNamed(name) == 0)
      errors.push_back("folders: " + name + " is not a folder or a set of folders");
  }
  if (LogLevelOf(config) == protocol::LogLevel::kOff && config.log_level != "off") {
    errors.push_back("log_level: must be debug, info, warn, error or off");
  }
  return errors;
}

std::optional<uint8_t> FindCardPorts(const Config& config) {
  uint8_t ports = 0;
  for (const std::string& name : NamesIn(config.card_ports)) {
    const auto* found =
        std::find(std::begin(threads::kCardPortNames) + 1, std::end(threads::kCardPortNames), name);
    if (found == std::end(threads::kCardPortNames)) return std::nullopt;
    ports |= static_cast<uint8_t>(1 << (found - std::begin(threads::kCardPortNames)));
  }
  return ports;
}

bool SplitHostPort(const std::string& listen, std::string* host, uint16_t* port) {
  const size_t colon = listen.rfind(':');
  if (colon == std::string::npos || colon == 0) return false;
  int64_t number = 0;
  if (!ParseInt(listen.substr(colon + 1), &number) || number < 0 || number > 65'535) return false;
  *host = listen.substr(0, colon);
  *port = static_cast<uint16_t>(number);
  return true;
}

protocol::LogLevel LogLevelOf(const Config& config) {
  if (config.log_level == "debug") return protocol::LogLevel::kDebug;
  if (config.log_level == "info") return protocol::LogLevel::kInfo;
  if (config.log_level == "warn") return protocol::LogLevel::kWarn;
  if (config.log_level == "error") return protocol::LogLevel::kError;
  return protocol::LogLevel::kOff;
}

std::string HelpText() {
  std::string out =
      "parleyd - a messaging server whose inbox can be proved\n\nusage: parleyd [--config FILE] [options]\n";
  std::string section;
  for (const Option& option : Options()) {
    if (section != option.section) out += "\n" + (section = option.section) + "\n";
    std::string flag = "  " + FlagOf(option);
    if (!std::holds_alternative<bool C::*>(option.member)) flag += " VALUE";
    flag.resize(std::max<size_t>(flag.size() + 2, 38), ' ');
    out += flag + option.doc;
    if (const std::string value = DefaultOf(option); !value.empty()) out += " [" + value + "]";
    out += "\n";
  }
  return out +
         "\nOther\n  --config FILE                       a TOML file with the same keys, spelled with _ for "
         "-\n"
         "  --help                              this text\n"
         "  --docs DIR                          writes every generated document below DIR (docs/)\n"
         "  --manual                            the options as Markdown (docs/configuration.md)\n"
         "  --asyncapi                          the protocol as an AsyncAPI document (/v1/asyncapi.json)\n"
         "  --openapi                           HTTP as an OpenAPI document (/v1/openapi.json)\n"
         "  --cards                             the action cards as Markdown (docs/cards.md)\n"
         "  --retention                         kept data and retention times (docs/retention.md)\n"
         "  --telemetry                         event types and telemetry names (docs/telemetry.md)\n"
         "  --version                           the version\n"
         "\nEnvironment: PARLEY_ and the key in capitals, such as PARLEY_MAX_FRAME_BYTES.\n"
         "The environment wins over the file, flags win over both.\n";
}

std::string ManualText() {
  std::string out =
      "# Configuration\n\n<!-- Printed by `parleyd --manual`; a test compares. Edit gateway/app/options.cc "
      "instead. -->\n\n"
      "Every option can be given in a TOML file (`--config FILE`), in the environment, or as a flag; the "
      "environment wins over the\n"
      "file, flags win over both. All errors are reported at once and the server does not start with any. "
      "Unknown keys are errors.\n";
  std::string section;
  for (const Option& option : Options()) {
    if (section != option.section) {
      section = option.section;
      out += "\n## " + section +
             "\n\n| key | flag | environment | default | bounds | description |\n|---|---|---|---|---|---|\n";
    }
    const bool number = std::holds_alternative<int64_t C::*>(option.member);
    const std::string bounds = number ? std::to_string(option.low) + " … " + std::to_string(option.high) : "";
    out += "| `" + std::string(option.key) + "` | `" + FlagOf(option) + "` | `" + EnvironmentOf(option) +
           "` | `" + DefaultOf(option) + "` | " + bounds + " | " + option.doc + " |\n";
  }
  return out;
}

}  // namespace parley::gateway
