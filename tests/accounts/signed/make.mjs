// Prints what Amazon's SDK for JavaScript signs, in the form of botocore.txt. Its output is javascript.txt; needs
// @aws-sdk/client-dynamodb and @smithy/signature-v4 where node looks for them from here.
//
//     node tests/accounts/signed/make.mjs > tests/accounts/signed/javascript.txt
import { createHash, createHmac } from "node:crypto";
import { DynamoDBClient, GetItemCommand, ListTablesCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { SignatureV4 } from "@smithy/signature-v4";

const credentials = {
  accessKeyId: "PKTAAAAAAAAAAAAAAAAA",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
const now = new Date("2026-11-22T12:00:00Z");

// The digest interface that the SDK expects, on Node's own.
class Sha256 {
  constructor(secret) {
    this.hash = secret === undefined ? createHash("sha256") : createHmac("sha256", Buffer.from(secret));
  }
  update(data) {
    this.hash.update(typeof data === "string" ? data : Buffer.from(data));
  }
  async digest() {
    return new Uint8Array(this.hash.digest());
  }
}

function show(name, request) {
  const query = Object.entries(request.query ?? {})
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join("&");
  console.log(`=== ${name}\n${request.method} ${request.path}${query && `?${query}`}`);
  for (const [key, value] of Object.entries(request.headers)) {
    console.log(`${key}: ${value}`);
  }
  console.log(`\n${request.body ?? ""}`);
}

// Signs like the SDK, without headers that differ between calls or machines.
class FixedSigner extends SignatureV4 {
  sign(request, options) {
    for (const name of Object.keys(request.headers)) {
      if (name.includes("user-agent")) delete request.headers[name];
    }
    request.headers["amz-sdk-invocation-id"] = "00000000-0000-4000-8000-000000000000";
    return super.sign(request, { ...options, signingDate: now });
  }
}

async function send(name, command, endpoint = "http://127.0.0.1:8080") {
  const client = new DynamoDBClient({
    region: "eu-central-1",
    endpoint,
    credentials,
    signer: async () => new FixedSigner({ credentials, region: "eu-central-1", service: "dynamodb", sha256: Sha256 }),
    requestHandler: {
      async handle(request) {
        show(name, request);
        throw new Error("seen");
      },
    },
    maxAttempts: 1,
  });
  await client.send(command).catch((error) => {
    if (error.message !== "seen") throw error;
  });
}

async function presign(name) {
  const signer = new SignatureV4({ credentials, region: "us-west-2", service: "dynamodb", sha256: Sha256 });
  const request = {
    method: "POST", protocol: "http:", hostname: "localhost", port: 8080, path: "/v1/dynamodb", query: { a: "ü /", b: "" },
    headers: { host: "localhost:8080", "content-type": "application/x-amz-json-1.0" }, body: "{}",
  };
  show(name, await signer.presign(request, { expiresIn: 3600, signingDate: now }));
}

await send("put", new PutItemCommand({ TableName: "notes", Item: { pk: { S: "Grüße" }, n: { N: "1" } } }));
await send("get", new GetItemCommand({ TableName: "notes", Key: { pk: { S: "a" } } }));
await send("with a path", new ListTablesCommand({}), "http://localhost:8080/v1/dynamodb");
await presign("presigned");
