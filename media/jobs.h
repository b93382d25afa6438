// Serves requests, each by a process of its own that ends with its job: no file can reach the bytes of
// another.
//
// Thread contract: the only thread of its process.
#pragma once

namespace parley::media {

// Reads requests from descriptor 0 and writes replies to descriptor 1 until the input ends. Returns false if
// the input or the output breaks off.
// REQUIRES: StartLibrary, PrepareFilter.
bool ServeJobs();

}  // namespace parley::media
