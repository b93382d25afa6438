// Reads the first frame of an MP4 or QuickTime video with libav.
//
// Thread contract: one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::media {

// Pixels in sRGB, 3 bytes each, scaled down to kPreviewPixels wide and high.
struct VideoFrame {
  std::vector<uint8_t> rgb;
  int w = 0, h = 0;
  int video_w = 0, video_h = 0;  // the video's, before it is turned
  int turn = 0;                  // quarters clockwise that make it upright: 0 to 3
};

// Returns false with the reason. Starts no thread and opens nothing; reads only the file.
bool ReadFirstFrame(std::string_view file, VideoFrame* out, std::string* why);

}  // namespace parley::media
