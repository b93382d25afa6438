// Holds every configured value, as plain types. options.cc fills it from the file, the environment and flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace parley::gateway {

struct Config {
  // Addresses and threads
  std::string data = "./var";
  std::string listen = "127.0.0.1:8080";
  std::string web = "";  // directory of the web client; empty: not served
  std::string tls_certificate, tls_key;
  std::string sealing_key_file = "";   // empty: in `data`
  std::string files_dir = "";          // empty: in `data`
  std::string files_media = "";        // path of parley-media; empty: beside this program; "none": off
  std::string files_store = "";        // s3://BUCKET/PREFIX; empty: files_dir
  std::string files_s3_endpoint = "";  // empty: Amazon's, for the region
  std::string files_s3_region = "us-east-1";
  bool files_s3_path_style = false;
  std::string files_s3_credentials_file = "";  // empty: in the environment
  bool files_redirect = false;
  std::string files_scan = "none";  // see features/files/scanner.h
  std::string files_band = "none";  // or service
  int64_t files_band_patience_s = 60;
  std::string admin_listen = "";  // empty: operators use `listen`
  std::string trusted_proxies = "";
  bool access_log = true, access_log_ops = false;
  int64_t io_threads = 1;
  bool io_uring = true;
  int64_t executor_threads = 1;
  int64_t reader_threads = 2;
  // Access
  bool demo = false;
  std::string card_ports = "";  // see FindCardPorts
  std::string staff_access = "all";
  // Limits
  int64_t max_frame_bytes = 256 * 1024;
  int64_t max_body_bytes = 8 * 1024;
  int64_t max_in_flight = 256;
  int64_t outbox_bytes = 4 * 1024 * 1024;
  int64_t max_page_bytes = 1024 * 1024;
  int64_t reader_bytes = int64_t{256} << 20;
  int64_t reader_queue = 10'000;
  int64_t edit_window_ms = 15 * 60 * 1000;
  int64_t http_body_bytes = int64_t{256} << 20;
  int64_t max_connections = 20'000;
  int64_t max_connections_per_address = 256;
  int64_t max_sessions_per_user = 64;
  int64_t tables_per_tenant = 100;
  int64_t table_bytes_per_tenant = int64_t{10} << 30;
  // Rates
  bool rate_limits = false;
  bool message_requests = false;
  int64_t session_requests_per_second = 100;
  int64_t tenant_requests_per_second = 5'000;
  int64_t failed_credentials_per_minute = 300;
  // Inbox
  std::string folders = "";  // offered besides the standard folders, separated by commas
  int64_t idle_archive_days = 180;
  // Time
  int64_t hello_timeout_ms = 10'000;
  int64_t http_idle_timeout_ms = 60'000;
  int64_t heartbeat_ms = 25'000;
  int64_t presence_ttl_ms = 60'000;
  int64_t typing_ttl_ms = 10'000;
  int64_t drain_seconds = 10;
  int64_t clock_ahead_max = 300;  // seconds
  int64_t reconnect_within_ms = 5'000;
  int64_t inbox_wait_ms = 1'000;
  int64_t fanout_gather_ms = 50;
  int64_t fanout_patience_ms = 1'000;
  // Not options; tests make them small. The number of users that a message lists for a reaction; the number
  // of change-log entries that a projection may pass without writing before it saves its cursor; and the
  // number trimmed at once.
  size_t max_listed_reactors = 100;
  uint64_t fanout_save_every = 4096;
  uint64_t fanout_trim_every = 65'536;
  // Storage
  int64_t block_cache_bytes = 0;  // 0: computed by storage/usable_memory.h
  int64_t memtable_bytes = int64_t{16} << 20;
  int64_t scrub_rows_per_second = 1'000;
  // Logs
  std::string trace = "";  // see TracesOf
  std::string log_level = "info";
};

}  // namespace parley::gateway
