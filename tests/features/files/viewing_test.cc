// Every case of Safe-Mode: behaviours 88 to 90.
#include "features/files/viewing.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::features {
namespace {

using protocol::FileState;
using protocol::VariantName;

constexpr VariantName kAsked[] = {VariantName::kOriginal, VariantName::kPreview, VariantName::kThumb,
                                  VariantName::kBlurred};

char Letter(View view) {
  constexpr std::string_view kLetters = "CbXQIG";  // clear, blurred, blocked, quarantined, incomplete, gone
  return kLetters[static_cast<size_t>(view)];
}

// The views of the original, the preview, the thumb and the blurred variant. Band -1: not judged.
std::string Views(FileState state, int64_t band, const FileViewer& viewer) {
  protocol::Attachment file;
  file.state.value = state;
  if (band >= 0) file.nsfw_band.value = protocol::Bounded<0, 2>{band};
  std::string out;
  for (const VariantName asked : kAsked) out += Letter(ViewOf(file, asked, viewer));
  return out;
}

TEST(Viewing, a_ready_file_by_band_and_viewer) {
  struct Row {
    int64_t band_max;
    std::string_view unjudged, safe, suggestive, mature;
  };
  // A thread with safeModeRequired; everybody; an adult who switched Safe-Mode off.
  const Row rows[] = {{0, "Xbbb", "CCCC", "Xbbb", "XXXX"},
                      {1, "Xbbb", "CCCC", "CCCC", "Xbbb"},
                      {2, "Xbbb", "CCCC", "CCCC", "CCCC"}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.band_max);
    EXPECT_EQ(Views(FileState::kReady, -1, {row.band_max}), row.unjudged);
    EXPECT_EQ(Views(FileState::kReady, 0, {row.band_max}), row.safe);
    EXPECT_EQ(Views(FileState::kReady, 1, {row.band_max}), row.suggestive);
    EXPECT_EQ(Views(FileState::kReady, 2, {row.band_max}), row.mature);
    for (int64_t band = -1; band <= 2; ++band) {
      EXPECT_EQ(Views(FileState::kReady, band, {row.band_max, true}), "CCCC") << "its uploader";
      EXPECT_EQ(Views(FileState::kReady, band, {row.band_max, false, true}), "CCCC") << "staff with a case";
      EXPECT_EQ(Views(FileState::kReady, band, {row.band_max, false, false, true}), "CCCC")
          << "who judges it";
    }
  }
}

TEST(Viewing, a_file_that_is_not_ready_by_state_and_viewer) {
  struct Row {
    FileState state;
    std::string_view member, uploader, by_case, service;
  };
  const Row rows[] = {
      {FileState::kRequested, "IIII", "IIII", "IIII", "IIII"},
      {FileState::kUploading, "IIII", "IIII", "IIII", "IIII"},
      {FileState::kScanning, "IIII", "IIII", "IIII", "CCCC"},
      {FileState::kQuarantined, "QQQQ", "QQQQ", "CCCC", "QQQQ"},
      {FileState::kFailed, "GGGG", "GGGG", "GGGG", "GGGG"},
      {FileState::kCancelled, "GGGG", "GGGG", "GGGG", "GGGG"},
      {FileState::kRemoved, "GGGG", "GGGG", "GGGG", "GGGG"},
  };
  for (const Row& row : rows) {
    for (int64_t band = -1; band <= 2; ++band) {
      for (int64_t band_max = 0; band_max <= 2; ++band_max) {
        SCOPED_TRACE(std::string(protocol::NameOf(row.state)) + " " + std::to_string(band) + " " +
                     std::to_string(band_max));
        EXPECT_EQ(Views(row.state, band, {band_max}), row.member);
        EXPECT_EQ(Views(row.state, band, {band_max, true}), row.uploader);
        EXPECT_EQ(Views(row.state, band, {band_max, true, true}), row.by_case);
        EXPECT_EQ(Views(row.state, band, {band_max, false, false, true}), row.service);
      }
    }
  }
}

TEST(Viewing, an_attachment_without_a_state_has_no_bytes) {
  EXPECT_EQ(ViewOf({}, VariantName::kOriginal, {2, true, true, true}), View::kGone);
}

}  // namespace
}  // namespace parley::features
