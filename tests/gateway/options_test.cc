// One table of options, set from three sources; all errors are reported at once.
#include "gateway/app/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "protocol/ops/all.h"
#include "tests/repository.h"

namespace parley::gateway {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Options, later_sources_override_earlier_ones) {
  Config config;
  EXPECT_THAT(Fill({{"file", {{"max_body_bytes", "100"}, {"heartbeat_ms", "1000"}}},
                    {"environment", {{"max_body_bytes", "200"}}},
                    {"command line", {{"max_body_bytes", "300"}}}},
                   &config),
              IsEmpty());
  EXPECT_EQ(config.max_body_bytes, 300);
  EXPECT_EQ(config.heartbeat_ms, 1000);
  EXPECT_EQ(config.edit_window_ms, Config().edit_window_ms);
}

TEST(Options, every_error_is_reported_at_once_with_its_source) {
  Config config;
  const auto errors = Fill({{"file", {{"no_such_option", "1"}, {"heartbeat_ms", "soon"}}},
                            {"environment", {{"demo", "maybe"}, {"max_in_flight", "0"}}}},
                           &config);
  ASSERT_THAT(errors, SizeIs(4));
  EXPECT_THAT(errors[0], HasSubstr("file: heartbeat_ms: "));
  EXPECT_THAT(errors[1], HasSubstr("no_such_option"));
  EXPECT_THAT(errors[2], HasSubstr("environment: demo: "));
  EXPECT_THAT(errors[3], HasSubstr("max_in_flight: must be between 1 and "));
}

TEST(Options, that_differ_from_their_defaults_are_listed_with_their_values) {
  Config config;
  EXPECT_THAT(ChangedOptions(config), IsEmpty());
  config.io_threads = 4;
  config.access_log = false;
  config.folders = "parley";
  EXPECT_THAT(ChangedOptions(config),
              testing::UnorderedElementsAre("io_threads=4", "access_log=false", "folders=parley"));
}

TEST(Options, a_demo_listens_only_on_loopback) {
  Config config;
  config.demo = true;
  config.listen = "0.0.0.0:8080";
  EXPECT_THAT(Check(config), SizeIs(1));
  for (const char* listen : {"127.0.0.1:8080", "127.8.9.1:0", "localhost:8080", "[::1]:8080"}) {
    config.listen = listen;
    EXPECT_THAT(Check(config), IsEmpty()) << listen;
  }
  // Names that resemble loopback but are not, or may not be.
  for (const char* listen : {"127.0.0.1.invalid:8080", "127.evil.invalid:8080", "[::]:8080", "192.0.2.7:8080",
                             "localhost.invalid:1"}) {
    config.listen = listen;
    EXPECT_THAT(Check(config), SizeIs(1)) << listen;
  }
}

TEST(Options, the_bounds_for_readers_are_consistent) {
  const auto complaint = [](auto change) {
    Config config;
    change(config);
    const auto errors = Check(config);
    return errors.empty() ? std::string() : errors[0].substr(0, errors[0].find(':'));
  };
  EXPECT_EQ(complaint([](Config&) {}), "");
  EXPECT_EQ(complaint([](Config& c) { c.max_body_bytes = 64 * 1024; }), "max_page_bytes")
      << "a message fits a page";
  EXPECT_EQ(complaint([](Config& c) { c.max_page_bytes = 2 << 20; }), "outbox_bytes")
      << "an answer fits an outbox";
  EXPECT_EQ(complaint([](Config& c) { c.outbox_bytes = 128 << 20; }), "reader_bytes");
  EXPECT_EQ(complaint([](Config& c) { c.io_threads = 64; }), "reader_bytes") << "an answer of each thread";
  EXPECT_EQ(complaint([](Config& c) { c.block_cache_bytes = 1 << 20; }), "block_cache_bytes");
  EXPECT_EQ(complaint([](Config& c) { c.block_cache_bytes = 8 << 20; }), "");
}

TEST(Options, folders_are_listed_by_name_and_unknown_ones_refuse_to_start) {
  Config config;
  const uint32_t standard = OfferedFolders(config);
  EXPECT_EQ(standard, (1u << 8) - 1) << "all unread pinned archived requests action snoozed spam";
  config.folders = "starred, bookings";
  EXPECT_THAT(Check(config), IsEmpty());
  EXPECT_EQ(OfferedFolders(config), standard | 1u << static_cast<int>(protocol::Folder::kStarred) |
                                        1u << static_cast<int>(protocol::Folder::kBookings));
  config.folders = "g3";
  EXPECT_THAT(Check(config), IsEmpty());
  EXPECT_EQ(OfferedFolders(config), standard | 1u << static_cast<int>(protocol::Folder::kBookings) |
                                        1u << static_cast<int>(protocol::Folder::kOffers));
  config.folders = "g2 g3";
  EXPECT_EQ(OfferedFolders(config), (1u << protocol::kFolderCount) - 1) << "together all there are";
  config.folders = "starred,drafts";
  ASSERT_THAT(Check(config), SizeIs(1));
  EXPECT_THAT(Check(config)[0], HasSubstr("folders: drafts"));
}

TEST(Options, card_ports_are_listed_by_name_with_or_without_blanks) {
  Config config;
  EXPECT_EQ(FindCardPorts(config), 0);
  config.card_ports = "booking,cases";
  const auto ports = FindCardPorts(config);
  EXPECT_NE(ports.value_or(0), 0);
  config.card_ports = " booking, cases ";
  EXPECT_EQ(FindCardPorts(config), ports);
  config.card_ports = "booking,plumbing";
  EXPECT_EQ(FindCardPorts(config), std::nullopt);
  EXPECT_THAT(Check(config), SizeIs(1));
}

TEST(Options, help_names_every_flag_and_matches_the_manual_in_docs) {
  for (const Option& option : Options()) EXPECT_THAT(HelpText(), HasSubstr(FlagOf(option)));
  EXPECT_EQ(tests::RepositoryText("docs/configuration.md"), ManualText())
      << "regenerate: parleyd --manual > docs/configuration.md";
}

}  // namespace
}  // namespace parley::gateway
