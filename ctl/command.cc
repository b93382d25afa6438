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
  change.about = "the settings to change, as JSON or @FILE; null removes a member";
  return {
      {"tenant",
       "list",
       "lists all tenants",
       "GET",
       "/v1/tenants",
       {},
       "items",
       {"tenantId", "name", "status", "createdAt", "version"}},
      {"tenant", "get", "shows a tenant with its settings", "GET", kTenant, {id}, "tenant"},
      {"tenant",
       "create",
       "creates a tenant; its users can connect once it is activated",
       "POST",
       "/v1/tenants",
       {id, Needed({"name", "its name for people"}), settings},
       "tenant"},
      {"tenant",
       "activate",
       "activates a tenant, so that its users can connect",
       "POST",
       "/v1/tenants/{tenantId}/activate",
       {id},
       "tenant"},
      {"tenant",
       "suspend",
       "suspends a tenant: ends its sessions and rejects connections",
       "POST",
       "/v1/tenants/{tenantId}/suspend",
       {id},
       "tenant"},
      {"tenant",
       "set",
       "changes a tenant's settings and name",
       "PATCH",
       kTenant,
       {id,
        change,
        {"name", "its name for people"},
        {"version", "the version that the change is based on; the present one if not given", Type::kNumber}},
       "tenant"},
  };
}

std::vector<Command> KeyCommands() {
  return {
      {"key",
       "list",
       "lists keys of the tenant's back end, including revoked ones",
       "GET",
       "/v1/tenants/{tenantId}/keys",
       {},
       "items",
       {"keyId", "name", "prefix", "status", "createdAt", "lastUsedAt"}},
      {"key",
       "create",
       "creates a key for the tenant's back end, and shows its secret once",
       "POST",
       "/v1/tenants/{tenantId}/keys",
       {{"name", "the purpose of the key"}},
       {},
       {},
       "secret"},
      {"key",
       "revoke",
       "revokes a key of the tenant's back end",
       "POST",
       "/v1/tenants/{tenantId}/keys/{keyId}/revoke",
       {Word("keyId", "the key")},
       "key"},
  };
}

std::vector<Command> SigningKeyCommands() {
  const char* const kOne = "/v1/tenants/{tenantId}/signing-keys/{kid}";
  const Parameter kid = Word("kid", "the id by which tokens name the key");
  return {
      {"key",
       "signing-list",
       "lists the keys with which the tenant's back end signs its users' tokens",
       "GET",
       "/v1/tenants/{tenantId}/signing-keys",
       {},
       "items",
       {"kid", "alg", "createdAt"}},
      {"key",
       "signing-set",
       "sets a signing key; sessions that used the replaced key end",
       "PUT",
       kOne,
       {kid,
        Needed({"alg", "HS256, RS256 or EdDSA"}),
        {"secret", "for HS256: the file with the key, at least 32 bytes in one line", Type::kFile},
        {"publicKey", "for the others: the PEM file of the public key", Type::kFile}},
       "signingKey"},
      {"key",
       "signing-delete",
       "deletes a signing key; tokens that it signed are rejected",
       "DELETE",
       kOne,
       {kid}},
  };
}

std::vector<Command> UserCommands() {
  const Parameter id = Word("userId", "the user");
  Parameter chosen = id;
  chosen.required = false;
  chosen.about = "the user's id; generated if not given";
  return {
      {"user",
       "list",
       "lists users with a record",
       "GET",
       "/v1/users",
       {{"prefix", "the beginning of their ids"},
        {"email", "their e-mail address"},
        {"identity", "type:id of a channel"}},
       "items",
       {"userId", "displayName", "email", "role", "createdAt"}},
      {"user", "get", "shows a user", "GET", "/v1/users/{userId}", {id}, "user"},
      {"user",
       "create",
       "creates a user's record",
       "POST",
       "/v1/users",
       {chosen,
        {"email", "the user's e-mail address"},
        {"displayName", "the user's name for people"},
        {"role", "member, admin, support, moderator or bot"},
        {"channelIdentities", "the user's identities on channels, as JSON {type: id}", Type::kJson},
        {"attributes", "the user's attributes in tokens, as JSON", Type::kJson}},
       "user"},
      {"user",
       "delete",
       "deletes a user: ends their sessions, revokes their tokens and keys; threads stay readable",
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
       "issues an access token and a refresh token of a user",
       "POST",
       "/v1/tokens",
       {user,
        {"role", "the role; that of the user's record if not given"},
        {"ttlSeconds", "the lifetime in seconds, at most 86400", Type::kNumber},
        {"scope", "full, or read for read-only access"}}},
      {"token", "revoke", "revokes every token issued to a user so far", "POST", "/v1/tokens/revoke", {user}},
  };
}

std::vector<Command> InviteCommands() {
  return {
      {"invite",
       "list",
       "lists invitations",
       "GET",
       "/v1/invites",
       {{"resource", "only for this resource; all if not given"}},
       "items",
       {"inviteId", "email", "resource", "level", "state", "expiresAt"}},
      {"invite",
       "create",
       "invites an e-mail address, and shows the token once",
       "POST",
       "/v1/invites",
       {Word("email", "the e-mail address"),
        Needed({"level", "read, write or owner"}),
        {"resource", "the resource; the tenant if not given"},
        {"ttlSeconds", "the lifetime in seconds; a week if not given", Type::kNumber}},
       {},
       {},
       "token"},
      {"invite",
       "revoke",
       "revokes an invitation",
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
       "shows the head of a thread",
       "POST",
       "/v1/ops/thread.get",
       {Word("threadId", "the thread")}},
      {"thread",
       "list",
       "lists the threads of a project, oldest first",
       "POST",
       "/v1/ops/thread.byProject",
       {{"lbgId", "the project"}, {"legId", "or a leg of a project"}},
       "threads",
       shown},
      {"thread",
       "inbox",
       "lists a user's threads, newest message first",
       "POST",
       "/v1/ops/inbox.list",
       {Word("userId", "the user"), {"folder", "the folder; all if not given"}},
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
       "prints the acts and accesses of staff, newest first (from a stopped store: oldest first); "
       "docs/check_audit.py "
       "checks "
       "the chain",
       "POST",
       "/v1/ops/moderation.audit",
       {{"from", "acts at this time or later"},
        {"to", "acts before this time"},
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
       "lists the tables that a table key opens; all tables of a stopped store",
       "POST",
       "/v1/dynamodb",
       {},
       "TableNames",
       {"name"}},
      {"table",
       "key-list",
       "lists table keys, including revoked ones",
       "GET",
       kKeys,
       {},
       "items",
       {"accessKeyId", "name", "tables", "readOnly", "status", "createdAt", "lastUsedAt"}},
      {"table",
       "key-create",
       "creates a key for the DynamoDB API, and shows its secret once",
       "POST",
       kKeys,
       {{"name", "the purpose of the key"},
        {"tables", "the tables that it opens: a,b,c; all if not given", Type::kList},
        {"readOnly", "the key may not write", Type::kFlag}}},
      {"table",
       "key-revoke",
       "revokes a table key",
       "POST",
       "/v1/tenants/{tenantId}/table-keys/{accessKeyId}/revoke",
       {Word("accessKeyId", "the key")}},
  };
}

std::vector<Command> ClockCommands() {
  return {
      {"clock", "get", "shows whether the server trusts its clock", "GET", "/v1/clock", {}, "clock"},
      {"clock",
       "confirm",
       "accepts the clock's time as correct, so that writes continue",
       "POST",
       "/v1/clock/confirm",
       {},
       "clock"},
  };
}

std::vector<Command> TraceCommands() {
  return {
      {"trace",
       "list",
       "lists the requests that are followed",
       "GET",
       "/v1/traces",
       {},
       "items",
       {"traceId", "what", "seconds"}},
      {"trace",
       "start",
       "follows requests: each of their steps leaves a line in the server's log",
       "POST",
       "/v1/traces",
       {Word("what", "thread=ID, user=ID (of any tenant) or session=ID"),
        {"seconds", "duration; 600 if not given", Type::kNumber}},
       "trace"},
      {"trace",
       "stop",
       "stops following requests",
       "DELETE",
       "/v1/traces/{traceId}",
       {Word("traceId", "the trace")}},
  };
}

std::vector<Command> AllCommands() {
  std::vector<Command> all;
  for (auto domain :
       {TenantCommands, KeyCommands, SigningKeyCommands, UserCommands, TokenCommands, InviteCommands,
        ThreadCommands, TableCommands, AuditCommands, ClockCommands, TraceCommands}) {
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
