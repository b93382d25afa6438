// Parses request heads with Boost.Beast, whose slow headers only http_parser.cc includes.
//
// Threads: any.
#pragma once

#include <string_view>

#include "gateway/net/transport.h"

namespace parley::gateway {

// A head with more lines is rejected: each line costs two strings, twenty times the bytes that it takes to
// send.
constexpr size_t kHeaderLinesMax = 100;

// Parses a whole head, up to and including its empty line, into method, target and headers. Lines of the same
// name are joined with commas. Returns 0, or the status of the refusal. REQUIRES: a HeaderScan found no fault
// in it.
int ParseHead(std::string_view text, HttpRequestHead* head, bool* is_http_1_1);

// Returns the words for the status line.
std::string_view ReasonPhrase(int status);

}  // namespace parley::gateway
