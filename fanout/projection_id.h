// Lists every projection with the name of its cursor.
#pragma once

#include <cstdint>
#include <string_view>

#include "protocol/field_types.h"

namespace parley::fanout {

enum class ProjectionId : uint8_t { kInbox, kProject, kCards };

}  // namespace parley::fanout

template <>
struct parley::protocol::EnumNames<parley::fanout::ProjectionId> {
  // WARNING: these are on disk. Never change one.
  static constexpr std::string_view kNames[] = {"inbox", "project", "cards"};
};
