// Finds the orientation in EXIF data, and makes EXIF data that contains nothing else.
//
// A TIFF file of one directory (TIFF 6.0 §2, EXIF 2.32 §4.6.4):
//   "MM" 002a, offset of the directory; u16 count, entries {u16 tag, u16 type, u32 count, u32 value}, u32
//   next
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::features::clean {

inline constexpr size_t kExifBytesMax = size_t{63} << 10;  // no more of the data is examined

// 1 to 8; 1, upright, if the data names none or is malformed. Pure. `tiff`: without the prefix "Exif\0\0" of
// JPEG, which some files of other formats have, too.
int OrientationOf(std::string_view tiff);
// Empty for 1: upright images need no EXIF.
std::string MinimalExif(int orientation);

}  // namespace parley::features::clean
