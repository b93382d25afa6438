#include "ctl/command.h"

namespace parley::ctl {
namespace {

using Type = Parameter::Type;

constexpr const char* kTenant = "/v1/tenants/{tenantId}";

Parameter Word(std::string_view name, std::string_view about) {
  return {name, about, Type::kText, true, true};
}
Parameter Needed(Parameter parameter) {
  parameter.required = true;
  return parameter;
}

std::vector<Command> TenantCommands() {
  const Parameter id = Word("tenantId", "the tenant");
  const Parameter settings = {"settings", "as JSON, or @FILE", Type::kJson};
  Parameter change = settings;
  change.positional = true;
  change.about = "what changes, as JSON or @FILE; null takes a member away";
  return {
      {"tenant",
       "list",
       "all tenants",
       "GET",
       "/v1/tenants",
       {},
       "items",
       {"tenantId", "name", "status", "createdAt", "version"}},
      {"tenant", "get", "one tenant with its settings", "GET", kTenant, {id}, "tenant"},
      {"tenant",
       "create",
       "makes a tenant, whose users connect once it is activated",
       "POST",
       "/v1/tenants",
       {id, Needed({"name", "what people call it"}), settings},
       "tenant"},
      {"tenant",
       "activate",
       "lets its users connect",
       "POST",
       "/v1/tenants/{tenantId}/activate",
       {id},
       "tenant"},
      {"tenant",
       "suspend",
       "ends its sessions and lets nobody connect",
       "POST",
       "/v1/tenants/{tenantId}/suspend",
       {id},
       "tenant"},
      {"tenant",
       "set",
       "changes its settings and name",
       "PATCH",
       kTenant,
       {id,
        change,
        {"name", "what people call it"},
        {"version", "which version the change was made from; the present one if not given", Type::kNumber}},
       "tenant"},
  };
}

std::vector<Command> KeyCommands() {
  return {
      {"key",
       "list",
       "keys of the tenant's back end, revoked ones included",
       "GET",
       "/v1/tenants/{tenantId}/keys",
       {},
       "items",
       {"keyId", "name", "prefix", "status", "createdAt", "lastUsedAt"}},
      {"key",
       "create",
       "makes a key for the tenant's back end, and shows its secret once",
       "POST",
       "/v1/tenants/{tenantId}/keys",
       {{"name", "what it is for"}},
       {},
       {},
       "secret"},
      {"key",
       "revoke",
       "the key opens nothing from then on",
       "POST",
       "/v1/tenants/{tenantId}/keys/{keyId}/revoke",
       {Word("keyId", "the key")},
       "key"},
  };
}

std::vector<Command> SigningKeyCommands() {
  const char* const kOne = "/v1/tenants/{tenantId}/signing-keys/{kid}";
  const Parameter kid = Word("kid", "by which tokens name the key");
  return {
      {"key",
       "signing-list",
       "what the tenant's back end signs its users' tokens with",
       "GET",
       "/v1/tenants/{tenantId}/signing-keys",
       {},
       "items",
       {"kid", "alg", "createdAt"}},
      {"key",
       "signing-set",
       "sets such a key; sessions by the one that it replaces end",
       "PUT",
       kOne,
       {kid,
        Needed({"alg", "HS256, RS256 or EdDSA"}),
        {"secret", "of HS256: the file that holds it, at least 32 bytes in one line", Type::kFile},
        {"publicKey", "of the others: its PEM file", Type::kFile}},
       "signingKey"},
      {"key", "signing-delete", "what it signed is refused from then on", "DELETE", kOne, {kid}},
  };
}

std::vector<Command> UserCommands() {
  const Parameter id = Word("userId", "the user");
  Parameter chosen = id;
  chosen.required = false;
  chosen.about = "their id; made up if not given";
  return {
      {"user",
       "list",
       "users of whom there is a record",
       "GET",
       "/v1/users",
       {{"prefix", "how their ids begin"},
        {"email", "whose address this is"},
        {"identity", "type:id of a channel"}},
       "items",
       {"userId", "displayName", "email", "role", "createdAt"}},
      {"user", "get", "one user", "GET", "/v1/users/{userId}", {id}, "user"},
      {"user",
       "create",
       "makes a user's record",
       "POST",
       "/v1/users",
       {chosen,
        {"email", "their address"},
        {"displayName", "what people call them"},
        {"role", "member, admin, support, moderator or bot"},
        {"channelIdentities", "who they are on which channel, as JSON {type: id}", Type::kJson},
        {"attributes", "what their tokens say of them, as JSON", Type::kJson}},
       "user"},
      {"user",
       "delete",
       "ends their sessions, voids their tokens and keys; threads stay readable",
       "DELETE",
       "/v1/users/{userId}",
       {id}},
  };
}

std::vector<Command> TokenCommands() {
  const Parameter user = Word("userId", "the user");
  return {
      {"token",
       "create",
       "a user's access token and refresh token",
       "POST",
       "/v1/tokens",
       {user,
        {"role", "that of their record if not given"},
        {"ttlSeconds", "how long it is good, at most 86400", Type::kNumber},
        {"scope", "full, or read: it changes nothing"}}},
      {"token",
       "revoke",
       "voids every token that a user was given so far",
       "POST",
       "/v1/tokens/revoke",
       {user}},
  };
}

std::vector<Command> InviteCommands() {
  return {
      {"invite",
       "list",
       "who was invited",
       "GET",
       "/v1/invites",
       {{"resource", "to what; everything if not given"}},
       "items",
       {"inviteId", "email", "resource", "level", "state", "expiresAt"}},
      {"invite",
       "create",
       "invites an address, and shows the token once",
       "POST",
       "/v1/invites",
       {Word("email", "who is invited"),
        Needed({"level", "read, write or owner"}),
        {"resource", "to what; the tenant if not given"},
        {"ttlSeconds", "how long it is good; a week if not given", Type::kNumber}},
       {},
       {},
       "token"},
      {"invite",
       "revoke",
       "the token is good for nothing from then on",
       "POST",
       "/v1/invites/{inviteId}/revoke",
       {Word("inviteId", "the invitation")},
       "invite"},
  };
}

std::vector<Command> ThreadCommands() {
  const std::vector<std::string_view> shown = {"threadId", "kind", "status", "subject", "createdAt"};
  return {
      {"thread",
       "get",
       "the head of a thread",
       "POST",
       "/v1/ops/thread.get",
       {Word("threadId", "the thread")}},
      {"thread",
       "list",
       "threads of a project, oldest first",
       "POST",
       "/v1/ops/thread.byProject",
       {{"lbgId", "of this project"}, {"legId", "or of this leg of it"}},
       "threads",
       shown},
      {"thread",
       "inbox",
       "a user's threads, newest message first",
       "POST",
       "/v1/ops/inbox.list",
       {Word("userId", "the user"), {"folder", "which one; all if not given"}},
       "entries",
       {"threadId", "kind", "status", "subject", "unread", "lastMessageAt"},
       {},
       "userId"},
  };
}

std::vector<Command> AuditCommands() {
  return {
      {"audit",
       "export",
       "every act and look of staff, newest first (of a stopped store: oldest first); docs/check_audit.py "
       "checks "
       "the chain",
       "POST",
       "/v1/ops/moderation.audit",
       {{"from", "what was done then or later"},
        {"to", "what was done before"},
        {"threadId", "about this thread"},
        {"actor", "by this user"},
        {"userId", "about this user"},
        {"caseId", "about this case"}},
       "entries",
       {"seq", "at", "actor", "action", "threadId", "userId", "reason"}},
  };
}

std::vector<Command> TableCommands() {
  const char* const kKeys = "/v1/tenants/{tenantId}/table-keys";
  return {
      {"table",
       "list",
       "tables that a table key opens; from a stopped store, all",
       "POST",
       "/v1/dynamodb",
       {},
       "TableNames",
       {"name"}},
      {"table",
       "key-list",
       "table keys, revoked ones included",
       "GET",
       kKeys,
       {},
       "items",
       {"accessKeyId", "name", "tables", "readOnly", "status", "createdAt", "lastUsedAt"}},
      {"table",
       "key-create",
       "makes a key for the DynamoDB API, and shows its secret once",
       "POST",
       kKeys,
       {{"name", "what it is for"},
        {"tables", "which tables it opens: a,b,c; all if not given", Type::kList},
        {"readOnly", "it writes nothing", Type::kFlag}}},
      {"table",
       "key-revoke",
       "the key opens nothing from then on",
       "POST",
       "/v1/tenants/{tenantId}/table-keys/{accessKeyId}/revoke",
       {Word("accessKeyId", "the key")}},
  };
}

std::vector<Command> ClockCommands() {
  return {
      {"clock", "get", "whether the server believes its clock", "GET", "/v1/clock", {}, "clock"},
      {"clock", "confirm", "its time is right, and writes go on", "POST", "/v1/clock/confirm", {}, "clock"},
  };
}

std::vector<Command> AllCommands() {
  std::vector<Command> all;
  for (auto domain : {TenantCommands, KeyCommands, SigningKeyCommands, UserCommands, TokenCommands,
                      InviteCommands, ThreadCommands, TableCommands, AuditCommands, ClockCommands}) {
    for (Command& command : domain()) all.push_back(std::move(command));
  }
  return all;
}

}  // namespace

bool Command::names(std::string_view parameter) const {
  return path.find("{" + std::string(parameter) + "}") != std::string_view::npos;
}

const std::vector<Command>& Commands() {
  static const std::vector<Command> all = AllCommands();
  return all;
}

const Command* FindCommand(std::string_view noun, std::string_view verb) {
  for (const Command& command : Commands()) {
    if (command.noun == noun && command.verb == verb) return &command;
  }
  return nullptr;
}

std::string FlagOf(const Parameter& parameter) {
  if (parameter.name == "version") return "--from-version";  // --version prints the program's
  std::string flag = "--";
  for (const char c : parameter.name) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital) flag += '-';
    flag += static_cast<char>(is_capital ? c - 'A' + 'a' : c);
  }
  return flag;
}

}  // namespace parley::ctl
