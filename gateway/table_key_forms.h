// Table keys as the HTTP routes write and read them. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "accounts/table_keys.h"
#include "gateway/net/transport.h"
#include "protocol/base/result.h"

namespace parley::gateway {

inline constexpr size_t kTableKeyPageDefault = 50;
inline constexpr size_t kTableKeyPageMax = 200;

struct TableKeyPageArgs {
  size_t limit = kTableKeyPageDefault;
  std::string cursor;  // empty: from the beginning
};

// {name?, tables?, readOnly?}, and the header Idempotency-Key.
protocol::Result<accounts::TableKeys::Wish> ReadTableKeyWish(const HttpRequest& request, size_t max_bytes);
// Of a call that takes no arguments.
protocol::Status ReadNoArgs(const HttpRequest& request, size_t max_bytes);
// ?limit= &cursor=
protocol::Result<TableKeyPageArgs> ReadTableKeyPageArgs(const HttpRequest& request);

// 201 with the secret, which is shown once; a repeat has none.
HttpResponse MadeTableKeyAnswer(const accounts::TableKeys::Made& made);
HttpResponse TableKeyAnswer(const accounts::TableKey& key);
HttpResponse TableKeyPageAnswer(std::span<const accounts::TableKeyPtr> keys,
                                std::optional<std::string> cursor);

}  // namespace parley::gateway
