#include "gateway/http/openapi.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gateway/http/route.h"
#include "protocol/asyncapi.h"
#include "protocol/ops/all.h"

namespace parley::gateway {
namespace {

using Document = nlohmann::ordered_json;

Document Json(const std::string& text) {
  return Document::parse(text);
}

Document Content(Document schema) {
  return {{"application/json", {{"schema", std::move(schema)}}}};
}

Document Refusals() {
  return {{"description", "A refusal."}, {"content", Content({{"$ref", "#/components/schemas/Refusal"}})}};
}

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

Document Parameter(const HttpRoute::Field& field, const char* in) {
  return {{"name", field.name},
          {"in", in},
          {"required", field.required},
          {"description", field.about},
          {"schema", Json(field.schema)}};
}

// Who may, in words; anybody: nobody has to show anything.
std::string WhoMay(uint8_t who) {
  std::string out;
  for (const auto& [bit, name] :
       {std::pair{kUsers, "users"}, {kServices, "tenant keys"}, {kOperator, "the operator"}}) {
    if (who & bit) out += (out.empty() ? "For " : ", ") + std::string(name);
  }
  return out.empty() ? "For anybody." : out + ".";
}

Document BodyOf(const std::vector<HttpRoute::Field>& fields, const HttpRoute& route) {
  Document properties = Document::object(), required = Document::array();
  for (const HttpRoute::Field& field : fields) {
    if (field.name == route.traits.body_field) return {{"content", Content({{"type", "object"}})}};
    Document schema = Json(field.schema);
    // Whoever sends null sends nothing.
    if (!field.required) schema = {{"anyOf", Document::array({schema, {{"type", "null"}}})}};
    if (!field.about.empty()) schema["description"] = field.about;
    properties[std::string(field.name)] = std::move(schema);
    if (field.required) required.push_back(field.name);
  }
  Document schema = {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return {{"required", !required.empty()}, {"content", Content(std::move(schema))}};
}

Document OperationOf(const HttpRoute& route) {
  Document parameters = Document::array();
  std::vector<HttpRoute::Field> others;
  for (HttpRoute::Field& field : route.fields()) {
    const bool in_path = route.path.find("{" + std::string(field.name) + "}") != std::string_view::npos;
    if (in_path)
      parameters.push_back(Parameter(field, "path"));
    else
      others.push_back(std::move(field));
  }
  const bool has_body = route.method != Method::kGet && route.method != Method::kDelete;
  for (const HttpRoute::Field& field : others) {
    const bool beside_body = !route.traits.body_field.empty() && field.name != route.traits.body_field;
    if (!has_body || beside_body) parameters.push_back(Parameter(field, "query"));
  }
  if (route.who & kOperator && !route.traits.of_no_tenant &&
      route.path.find("{tenantId}") == std::string_view::npos)
    parameters.push_back({{"name", "tenant"},
                          {"in", "query"},
                          {"required", false},
                          {"description", "which one the operator means"},
                          {"schema", {{"type", "string"}}}});
  Document answer = {{"description", "Done."}};
  if (const std::string schema = route.reply_schema(); !schema.empty())
    answer["content"] = Content(Json(schema));
  Document out = {
      {"operationId", route.id},
      {"summary", route.about},
      {"description", WhoMay(route.who)},
      {"responses", {{std::to_string(route.status), std::move(answer)}, {"default", Refusals()}}}};
  if (!parameters.empty()) out["parameters"] = std::move(parameters);
  if (has_body && !others.empty()) out["requestBody"] = BodyOf(others, route);
  out["security"] =
      route.who == kAnyone ? Document::array() : Document::array({{{"bearer", Document::array()}}});
  return out;
}

template <class Op>
Document OperationOfOp() {
  return {
      {"operationId", Op::kName},
      {"summary", Op::kDoc},
      {"requestBody", {{"content", Content(Json(protocol::JsonSchema<typename Op::Args>()))}}},
      {"responses",
       {{"200",
         {{"description", "Done."}, {"content", Content(Json(protocol::JsonSchema<typename Op::Reply>()))}}},
        {"default", Refusals()}}},
      {"security", Document::array({{{"bearer", Document::array()}}})}};
}

}  // namespace

std::string OpenApiDocument() {
  Document paths = Document::object();
  for (const HttpRoute& route : AllRoutes())
    paths[std::string(route.path)][Lower(NameOf(route.method))] = OperationOf(route);
  protocol::ForEachOp(protocol::AllOps{}, [&]<class Op>() {
    if constexpr (Op::kKind != protocol::OpKind::kSession)
      paths["/v1/ops/" + std::string(Op::kName)]["post"] = OperationOfOp<Op>();
  });
  const Document refusal = {{"type", "object"},
                            {"properties", {{"error", Json(protocol::ErrorJsonSchema())}}},
                            {"required", Document::array({"error"})}};
  const Document whole = {{"openapi", "3.1.0"},
                          {"info",
                           {{"title", "Parley"},
                            {"version", "1.0.0"},
                            {"description", "Parley over HTTP. Made from the server's own routes."}}},
                          {"servers", Document::array({{{"url", "http://localhost:8080"}}})},
                          {"paths", std::move(paths)},
                          {"components",
                           {{"schemas", {{"Refusal", refusal}}},
                            {"securitySchemes", {{"bearer", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
  return whole.dump(1) + "\n";
}

}  // namespace parley::gateway
