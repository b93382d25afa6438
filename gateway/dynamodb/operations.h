// Declares the operations of the DynamoDB API. Each checks the whole request before it does any work, and
// answers later through call.h.
#pragma once

#include <span>
#include <string_view>

#include "gateway/dynamodb/call.h"

namespace parley::gateway {

struct DynamoOperation {
  std::string_view name;
  void (*run)(DynamoCall call);
};
std::span<const DynamoOperation> DynamoOperations();

// item_operations.cc
void GetItem(DynamoCall call);
void PutItem(DynamoCall call);
void UpdateItem(DynamoCall call);
void DeleteItem(DynamoCall call);
// page_operations.cc
void Query(DynamoCall call);
void Scan(DynamoCall call);
// batch_operations.cc
void BatchGetItem(DynamoCall call);
void BatchWriteItem(DynamoCall call);
// transaction_operations.cc
void TransactGetItems(DynamoCall call);
void TransactWriteItems(DynamoCall call);
// table_operations.cc
void CreateTable(DynamoCall call);
void DeleteTable(DynamoCall call);
void DescribeTable(DynamoCall call);
void ListTables(DynamoCall call);
void DescribeLimits(DynamoCall call);
// resource_operations.cc
void TagResource(DynamoCall call);
void UntagResource(DynamoCall call);
void ListTagsOfResource(DynamoCall call);
void DescribeContinuousBackups(DynamoCall call);
void DescribeEndpoints(DynamoCall call);
// table_changes.cc
void UpdateTable(DynamoCall call);
void UpdateTimeToLive(DynamoCall call);
void DescribeTimeToLive(DynamoCall call);

}  // namespace parley::gateway
