// The contract with clients as short text, made from the documents that the server prints: one line for each
// op, event, route, error code, and field of each named schema. It leaves out descriptions, so that only
// changes that a client can notice change it.
#pragma once

#include <string>

namespace parley::gateway_test {

std::string ContractOf(const std::string& asyncapi, const std::string& openapi);

}  // namespace parley::gateway_test
