#include "tests/gateway/contract_support.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace parley::gateway_test {
namespace {

using Json = nlohmann::ordered_json;

std::string NamedIn(const Json& reference) {
  const std::string path = reference["$ref"];
  return path.substr(path.rfind('/') + 1);
}

std::string TypeText(const Json& schema);

std::string Joined(const Json& choices, const std::string& between) {
  std::string out;
  for (const Json& one : choices)
    out += (out.empty() ? "" : between) + (one.is_object() ? TypeText(one) : one.get<std::string>());
  return out;
}

std::string BoundText(const Json& schema, const char* low, const char* high) {
  if (!schema.contains(low) && !schema.contains(high)) return "";
  return " " + (schema.contains(low) ? schema[low].dump() : "") + ".." +
         (schema.contains(high) ? schema[high].dump() : "");
}

std::string FieldsText(const Json& schema, const std::string& before, const std::string& after) {
  std::set<std::string> required;
  for (const Json& name : schema.value("required", Json::array())) required.insert(name);
  std::string out;
  for (const auto& [name, type] : schema["properties"].items())
    out += before + name + (required.contains(name) ? ": " : "?: ") + TypeText(type) + after;
  return out;
}

std::string PlainText(const std::string& type, const Json& schema) {
  if (type == "array")
    return "[" + TypeText(schema["items"]) + "]" + BoundText(schema, "minItems", "maxItems");
  if (type == "integer") return type + BoundText(schema, "minimum", "maximum");
  if (type == "object" && schema.contains("properties")) return "{" + FieldsText(schema, " ", ",") + " }";
  if (type == "object" && schema.contains("additionalProperties"))
    return "{text: " + TypeText(schema["additionalProperties"]) + "}";
  if (type != "string") return type;
  if (schema.contains("enum")) return Joined(schema["enum"], " | ");
  if (schema.contains("pattern")) return "/" + schema["pattern"].get<std::string>() + "/";
  return schema.value("format", "text") + BoundText(schema, "minLength", "maxLength");
}

std::string TypeText(const Json& schema) {
  if (schema.contains("$ref")) return NamedIn(schema);
  if (schema.contains("anyOf")) return Joined(schema["anyOf"], " | ");
  if (schema.contains("const")) return schema["const"].dump();
  if (!schema.contains("type")) return "any";
  if (schema["type"].is_string()) return PlainText(schema["type"], schema);
  std::string out;
  for (const Json& type : schema["type"]) out += (out.empty() ? "" : " | ") + PlainText(type, schema);
  return out;
}

// Returns "200 ThreadReply", or the status alone if the answer has no body.
std::string AnswerText(const std::string& status, const Json& answer) {
  if (!answer.contains("content")) return status;
  return status + " " + TypeText(answer["content"].front()["schema"]);
}

std::string RouteText(const std::string& method, const std::string& path, const Json& route) {
  std::string out = "route " + method + " " + path + " " + route["operationId"].get<std::string>() + "\n";
  for (const Json& one : route.value("parameters", Json::array()))
    out += "  " + one["in"].get<std::string>() + " " + one["name"].get<std::string>() +
           (one["required"] ? ": " : "?: ") + TypeText(one["schema"]) + "\n";
  if (route.contains("requestBody")) {
    const Json& body = route["requestBody"]["content"].front()["schema"];
    out +=
        body.contains("properties") ? FieldsText(body, "  body ", "\n") : "  body: " + TypeText(body) + "\n";
  }
  for (const auto& [status, answer] : route["responses"].items())
    out += "  answer " + AnswerText(status, answer) + "\n";
  return out;
}

// Sorted, so that an op may move to another list.
std::string OpsText(const Json& asyncapi) {
  std::set<std::string> lines;
  for (const auto& [key, message] : asyncapi["components"]["messages"].items()) {
    const Json& payload = message["payload"];
    if (payload.contains("oneOf") || !payload["properties"].contains("op")) continue;
    const Json& reply = asyncapi["components"]["messages"][key + "-reply"]["payload"]["oneOf"][0];
    lines.insert("op " + payload["properties"]["op"]["const"].get<std::string>() + " " +
                 TypeText(payload["properties"]["args"]) + " -> " + TypeText(reply["properties"]["ok"]) +
                 "\n");
  }
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

std::string EventsText(const Json& asyncapi) {
  std::string out;
  for (const auto& [key, message] : asyncapi["components"]["messages"].items()) {
    const Json& payload = message["payload"];
    if (!payload.contains("oneOf") && payload["properties"].contains("ev"))
      out += "event" + FieldsText(payload, " ", ",") + "\n";
  }
  return out;
}

std::string SchemaText(const std::string& name, const Json& schema) {
  if (!schema.contains("properties")) return "type " + name + ": " + TypeText(schema) + "\n";
  return "type " + name + "\n" + FieldsText(schema, "  ", "\n");
}

}  // namespace

std::string ContractOf(const std::string& asyncapi, const std::string& openapi) {
  const Json socket = Json::parse(asyncapi), http = Json::parse(openapi);
  std::string out = OpsText(socket) + EventsText(socket);
  for (const Json& close : socket["channels"]["session"]["x-close-codes"])
    out += "close " + close["code"].dump() + " " + close["reason"].get<std::string>() + "\n";
  for (const auto& [path, methods] : http["paths"].items()) {
    if (path.starts_with("/v1/ops/")) continue;  // the routes of ops have the ops' own arguments and replies
    for (const auto& [method, route] : methods.items()) out += RouteText(method, path, route);
  }
  std::map<std::string, std::string> schemas;
  for (const Json* document : {&socket, &http}) {
    for (const auto& [name, schema] : (*document)["components"]["schemas"].items())
      schemas[name] = SchemaText(name, schema);
  }
  for (const auto& [name, text] : schemas) out += text;
  return out;
}

}  // namespace parley::gateway_test
