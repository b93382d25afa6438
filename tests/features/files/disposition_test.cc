#include "features/files/disposition.h"

#include <gtest/gtest.h>

namespace parley::features {
namespace {

TEST(Disposition, only_images_and_video_are_shown_inline) {
  for (const char* mime : {"image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/heic",
                           "video/mp4", "video/quicktime"})
    EXPECT_TRUE(IsShownInline(mime)) << mime;
  for (const char* mime : {"", "text/plain", "text/html", "image/svg+xml", "application/pdf",
                           "application/zip", "IMAGE/PNG", "image/png; charset=utf-8"})
    EXPECT_FALSE(IsShownInline(mime)) << mime;
}

TEST(Disposition, names_a_file_for_old_clients_and_for_new_ones) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"a.txt", "filename=\"a.txt\"; filename*=UTF-8''a.txt"},
      {"r\xc3\xa9port 1.txt", "filename=\"r_port 1.txt\"; filename*=UTF-8''r%C3%A9port%201.txt"},
      {"\xf0\x9f\x90\xb1.png", "filename=\"_.png\"; filename*=UTF-8''%F0%9F%90%B1.png"},
      {"a\"b\\c/d%e", "filename=\"a_b_c_d_e\"; filename*=UTF-8''a%22b%5Cc%2Fd%25e"},
      {"a\r\nSet-Cookie: x", "filename=\"a__Set-Cookie: x\"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x"},
  };
  for (const auto& [name, then] : rows)
    EXPECT_EQ(Disposition("text/plain", name), "attachment; " + std::string(then));
  EXPECT_EQ(Disposition("image/png", "a.png"), "inline; filename=\"a.png\"; filename*=UTF-8''a.png");
}

}  // namespace
}  // namespace parley::features
