#include "gateway/table_key_forms.h"

#include <charconv>
#include <utility>

#include "accounts/sigv4_canonical.h"
#include "gateway/http_json.h"
#include "protocol/schema.h"

namespace parley::gateway {
namespace {

using accounts::TableKey;
using accounts::TableKeys;
using protocol::Error;

struct TableName {
  std::string value;
  static std::optional<TableName> FromText(std::string_view text) {
    if (!accounts::IsTableName(text)) return std::nullopt;
    return TableName{std::string(text)};
  }
  const std::string& ToText() const { return value; }
};

struct TableKeyArgs {
  std::optional<protocol::Text<accounts::kTableKeyNameMax>> name;
  std::optional<protocol::List<TableName, accounts::kTableKeyTablesMax>> tables;
  std::optional<bool> read_only;
  static constexpr void Fields(auto& field) {
    using T = TableKeyArgs;
    field("name", &T::name, "what it is for");
    field("tables", &T::tables, "which tables it opens; all if not given");
    field("readOnly", &T::read_only, "false if not given");
  }
};

struct NoArgs {
  static constexpr void Fields(auto&) {}
};

struct MadeTableKey {
  accounts::AccessKeyId access_key_id;
  protocol::Omit<std::string> secret;
  static constexpr void Fields(auto& field) {
    using T = MadeTableKey;
    field("accessKeyId", &T::access_key_id, "");
    field("secretAccessKey", &T::secret, "shown once");
  }
};

struct ListedTableKey {
  accounts::AccessKeyId access_key_id;
  std::string name;
  std::optional<protocol::List<std::string, accounts::kTableKeyTablesMax>> tables;  // null: all
  bool read_only = false;
  accounts::TableKeyStatus status = accounts::TableKeyStatus::kActive;
  protocol::Time created_at;
  std::optional<protocol::Time> last_used_at;
  static constexpr void Fields(auto& field) {
    using T = ListedTableKey;
    field("accessKeyId", &T::access_key_id, "");
    field("name", &T::name, "");
    field("tables", &T::tables, "");
    field("readOnly", &T::read_only, "");
    field("status", &T::status, "");
    field("createdAt", &T::created_at, "");
    field("lastUsedAt", &T::last_used_at, "");
  }
};

struct TableKeyPage {
  protocol::List<ListedTableKey, kTableKeyPageMax> items;
  std::optional<std::string> cursor;
  static constexpr void Fields(auto& field) {
    field("items", &TableKeyPage::items, "");
    field("cursor", &TableKeyPage::cursor, "");
  }
};

template <class T>
HttpResponse Answer(int status, const T& value) {
  return JsonAnswer(status, protocol::MsgpackToJson(protocol::Encode(value)));
}

ListedTableKey Listed(const TableKey& key) {
  ListedTableKey out;
  out.access_key_id = key.id;
  out.name = key.name;
  if (!key.tables.empty()) out.tables.emplace().items = key.tables;
  out.read_only = key.read_only;
  out.status = key.status;
  out.created_at = key.created_at;
  out.last_used_at = key.last_used_at;
  return out;
}

// The body, as `Args`.
template <class Args>
protocol::Result<Args> ReadBody(const HttpRequest& request, size_t max_bytes) {
  PARLEY_TRY(body, JsonBody(request, max_bytes));
  Args args;
  PARLEY_CHECK_OK(protocol::Bind(body.root, &args));
  return args;
}

// A whole number within the bounds of a page.
std::optional<size_t> ReadLimit(const std::string& text) {
  size_t out = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  if (read.ec != std::errc() || read.ptr != end || out < 1 || out > kTableKeyPageMax) return std::nullopt;
  return out;
}

}  // namespace

protocol::Result<TableKeys::Wish> ReadTableKeyWish(const HttpRequest& request, size_t max_bytes) {
  PARLEY_TRY(args, ReadBody<TableKeyArgs>(request, max_bytes));
  TableKeys::Wish wish;
  if (args.name) wish.name = std::move(args.name->value);
  wish.read_only = args.read_only.value_or(false);
  if (args.tables && args.tables->items.empty()) return Error::BadField("tables", "must name a table");
  if (args.tables) {
    for (TableName& table : args.tables->items) wish.tables.push_back(std::move(table.value));
  }
  const std::string* repeat = request.Header("Idempotency-Key");
  if (repeat && !protocol::ClientId::FromText(*repeat))
    return Error::BadField("Idempotency-Key", "must be 1 to 64 printable ASCII characters");
  if (repeat) wish.idempotency_key = *repeat;
  return wish;
}

protocol::Status ReadNoArgs(const HttpRequest& request, size_t max_bytes) {
  PARLEY_CHECK_OK(ReadBody<NoArgs>(request, max_bytes));
  return protocol::Ok();
}

protocol::Result<TableKeyPageArgs> ReadTableKeyPageArgs(const HttpRequest& request) {
  const auto parameters = accounts::ParseQuery(accounts::QueryOf(request.target));
  if (!parameters) return Error::BadRequest("the query cannot be read");
  TableKeyPageArgs out;
  for (const auto& [name, value] : *parameters) {
    if (name == "cursor") {
      out.cursor = value;
    } else if (name == "limit") {
      const auto limit = ReadLimit(value);
      if (!limit) return Error::BadField("limit", "must be a number from 1 to 200");
      out.limit = *limit;
    } else {
      return protocol::UnknownField(name);
    }
  }
  return out;
}

HttpResponse MadeTableKeyAnswer(const TableKeys::Made& made) {
  MadeTableKey out{made.key->id, {}};
  if (!made.secret.empty()) out.secret.value = made.secret;
  return Answer(201, out);
}

HttpResponse TableKeyAnswer(const TableKey& key) {
  return Answer(200, Listed(key));
}

HttpResponse TableKeyPageAnswer(std::span<const accounts::TableKeyPtr> keys,
                                std::optional<std::string> cursor) {
  TableKeyPage page;
  for (const accounts::TableKeyPtr& key : keys) page.items.items.push_back(Listed(*key));
  page.cursor = std::move(cursor);
  return Answer(200, page);
}

}  // namespace parley::gateway
