// Checks the rows of uploads: a FILE# row has its FILE, FILEDUE# and FILEREF# rows and they have it, it
// equals the attachment in its message, and the head of the thread counts the bytes of its uploads.
#pragma once

#include <memory>

#include "fanout/verify/facts.h"

namespace parley::features::facts {

std::unique_ptr<fanout::Facts> MakeFileFacts();

}  // namespace parley::features::facts
