// Amazon's SDK with short names: `db.PutItem(input)` for each operation. No retries, so that a test sees each answer.
import * as sdk from '@aws-sdk/client-dynamodb';
import assert from 'node:assert/strict';

const kOperations = [
  'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'Scan', 'BatchGetItem', 'BatchWriteItem', 'TransactWriteItems',
  'TransactGetItems', 'DescribeTable', 'ListTables', 'CreateTable', 'DeleteTable', 'UpdateTable', 'UpdateTimeToLive',
  'DescribeTimeToLive', 'DescribeLimits',
];

/** options: key {accessKeyId, secretAccessKey}; the others are for the SDK's client. */
export function clientOf(url, {key = {accessKeyId: 'test', secretAccessKey: 'test'}, ...more} = {}) {
  const client = new sdk.DynamoDBClient({
    endpoint: url, region: 'us-east-1', credentials: key, maxAttempts: 1, ...more,
  });
  const db = {client, close: () => client.destroy()};
  for (const name of kOperations) {
    const Command = sdk[`${name}Command`];
    db[name] = async (input) => {
      const {$metadata, ...answer} = await client.send(new Command(input));
      return answer;
    };
  }
  return db;
}

/** Awaits the refusal of a request. → the error; `message` is a pattern. */
export async function refused(promise, name, message) {
  const error = await promise.then((answer) => assert.fail(`taken, not refused with ${name}: ${JSON.stringify(answer)}`),
                                   (reason) => reason);
  if (error instanceof assert.AssertionError) throw error;
  assert.equal(error.name, name, `${error.name}: ${error.message}`);
  if (message) assert.match(error.message, message);
  return error;
}

export const failsCondition = (promise) => refused(promise, 'ConditionalCheckFailedException');
export const isInvalid = (promise, message) => refused(promise, 'ValidationException', message);

/** Whether a conditional write succeeded; throws other errors. */
export async function taken(promise) {
  try {
    await promise;
    return true;
  } catch (error) {
    if (['ConditionalCheckFailedException', 'TransactionCanceledException'].includes(error.name)) return false;
    throw error;
  }
}
