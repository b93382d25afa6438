#include "features/files/viewing.h"

namespace parley::features {
namespace {

using protocol::VariantName;

// A file that nobody has judged is shown as if it were one band too high.
View ByBand(const protocol::Attachment& file, VariantName asked, const FileViewer& viewer) {
  if (viewer.sees_all || viewer.by_case || viewer.scans) return View::kClear;
  const auto& judged = file.nsfw_band.value;
  const int64_t band = judged ? judged->value : viewer.band_max + 1;
  if (band <= viewer.band_max) return View::kClear;
  if (band > viewer.band_max + 1 || asked == VariantName::kOriginal) return View::kBlocked;
  return View::kBlurred;
}

}  // namespace

View ViewOf(const protocol::Attachment& file, VariantName asked, const FileViewer& viewer) {
  switch (file.state.value.value_or(protocol::FileState::kRemoved)) {
    case protocol::FileState::kRequested:
    case protocol::FileState::kUploading:
      return View::kIncomplete;
    case protocol::FileState::kScanning:
      return viewer.scans ? View::kClear : View::kIncomplete;
    case protocol::FileState::kReady:
      return ByBand(file, asked, viewer);
    case protocol::FileState::kQuarantined:
      return viewer.by_case ? View::kClear : View::kQuarantined;
    case protocol::FileState::kFailed:
    case protocol::FileState::kCancelled:
    case protocol::FileState::kRemoved:
      break;
  }
  return View::kGone;
}

}  // namespace parley::features
