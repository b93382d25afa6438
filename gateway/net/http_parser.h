// Boost.Beast's parser of request heads behind a plain header: only http_parser.cc includes Beast, whose
// headers take seconds to compile.
//
// Threads: any.
#pragma once

#include <string_view>

#include "gateway/net/transport.h"

namespace parley::gateway {

// A head of more lines is refused: each costs two strings, twenty times the bytes that it takes to send one.
constexpr size_t kHeaderLinesMax = 100;

// Parses a whole head, up to and including its empty line, into method, target and header lines. Lines of
// the same name become one, separated by commas. Returns 0, or the status to refuse it with.
// REQUIRES: a HeaderScan found no fault in it.
int ParseHead(std::string_view text, HttpRequestHead* head, bool* is_http_1_1);

// In words, for the status line.
std::string_view ReasonPhrase(int status);

}  // namespace parley::gateway
