// Declares one function for each format. Each reads the file once or twice from the beginning to the end and
// passes every byte of it to the rewriter. UNSUPPORTED_TYPE if the file can hide metadata.
//
// Thread contract: blocking; the objects belong to the call.
#pragma once

#include "features/files/clean/clean.h"
#include "features/files/clean/input.h"
#include "features/files/clean/rewriter.h"

namespace parley::features::clean {

protocol::Result<MediaFacts> CleanJpeg(Input& in, Rewriter& out);
protocol::Result<MediaFacts> CleanPng(Input& in, Rewriter& out);
protocol::Result<MediaFacts> CleanWebp(Input& in, Rewriter& out);
protocol::Result<MediaFacts> CleanGif(Input& in, Rewriter& out);
// MP4, QuickTime, HEIC and AVIF: all are boxes, and one file can be several of them.
protocol::Result<MediaFacts> CleanBoxes(Input& in, Rewriter& out);

// Zero counts as unknown. `orientation`: of EXIF; 5 to 8 swap the sides.
inline void SetSize(int64_t w, int64_t h, int orientation, MediaFacts* facts) {
  if (w <= 0 || h <= 0) return;
  facts->w = orientation >= 5 ? h : w;
  facts->h = orientation >= 5 ? w : h;
}

}  // namespace parley::features::clean
