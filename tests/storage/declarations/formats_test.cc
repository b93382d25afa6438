#include "storage/declarations/formats.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::storage {
namespace {

using Format = AttributeRule::Format;

TEST(Formats, accept_only_valid_addresses) {
  for (const char* good : {"a@b.de", "j.doe+x@mail.example.com", "o'hara@example.com", "ünal@exämple.de"})
    EXPECT_TRUE(HasFormat(Format::kEmail, good)) << good;
  for (const char* bad : {"", "a", "@b.de", "a@", "a@b", "a@b..de", "a@-b.de", "a@b.de.", "a b@c.de",
                          "a@b c.de", "a@b@c.de", "<a@b.de>", "a@b.de\n", "a@[127.0.0.1]"})
    EXPECT_FALSE(HasFormat(Format::kEmail, bad)) << bad;
  EXPECT_FALSE(HasFormat(Format::kEmail, std::string(65, 'a') + "@b.de"));
}

TEST(Formats, accept_only_valid_urls) {
  for (const char* good : {"https://example.com", "http://localhost:8080/x?y#z", "https://[::1]/"})
    EXPECT_TRUE(HasFormat(Format::kUrl, good)) << good;
  for (const char* bad : {"", "example.com", "ftp://example.com", "https://", "https:///x", "https://:80",
                          "http://a b", "javascript:alert(1)", "https://user@"})
    EXPECT_FALSE(HasFormat(Format::kUrl, bad)) << bad;
}

TEST(Formats, accept_only_valid_times_and_dates) {
  EXPECT_TRUE(HasFormat(Format::kTime, "2026-08-01T12:00:00.000Z"));
  EXPECT_FALSE(HasFormat(Format::kTime, "2026-08-01T12:00:00Z"));
  EXPECT_TRUE(HasFormat(Format::kDate, "2024-02-29"));
  for (const char* bad : {"2023-02-29", "2026-8-1", "2026-08-01T", "20260801", ""})
    EXPECT_FALSE(HasFormat(Format::kDate, bad)) << bad;
}

TEST(Formats, accept_only_valid_uuids) {
  EXPECT_TRUE(HasFormat(Format::kUuid, "0190a1b2-C3D4-4011-9213-141516171819"));
  for (const char* bad : {"", "0190a1b2c3d44011921314151617181900", "0190a1b2-c3d4-4011-9213-14151617181",
                          "0190a1b2-c3d4-4011-9213-14151617181g", "0190a1b2-c3d4-4011-9213_141516171819"})
    EXPECT_FALSE(HasFormat(Format::kUuid, bad)) << bad;
}

}  // namespace
}  // namespace parley::storage
