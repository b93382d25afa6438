// Makes the smaller copies of an image with libvips: a preview, a thumb, and a blurred preview.
//
// Thread contract: one thread at a time.
#pragma once

#include <string>
#include <string_view>

namespace parley::media {

// Loads the library with all its modules. Only loaders of the formats that Parley accepts remain.
// Starts no thread. Returns false if the library cannot be used.
bool StartLibrary();

// Returns the reply for a file, without its size (frames.h). The copies are upright and in sRGB, and have no
// metadata.
// REQUIRES: StartLibrary.
std::string MakeCopies(std::string_view file);

}  // namespace parley::media
