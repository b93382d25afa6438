// Names the parts of paged lists (features/host/pages.h) in the gateway.
#pragma once

#include "features/host/pages.h"
#include "gateway/http/route.h"

namespace parley::gateway {

using features::CursorAt;
using features::kCursorAbout;
using features::kLimitAbout;
using features::kPageDefault;
using features::kPageMax;
using features::LimitOf;
using features::Page;
using features::PageArgs;
using features::PageOfAll;
using features::PositionIn;
using features::ToPage;

}  // namespace parley::gateway
