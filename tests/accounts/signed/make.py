#!/usr/bin/env python3
"""Prints what botocore signs: requests of a DynamoDB client as they would leave it, and requests with the
signature in the query. Its output is botocore.txt, which sigv4_signers_test.cc reads; needs botocore.

    python3 tests/accounts/signed/make.py > tests/accounts/signed/botocore.txt
"""
import datetime
import sys

import botocore
import botocore.auth
import botocore.session
from botocore.awsrequest import AWSRequest, AWSResponse
from botocore.config import Config
from botocore.credentials import Credentials

ID, SECRET = "PKTAAAAAAAAAAAAAAAAA", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
NOW = datetime.datetime(2026, 11, 22, 12, 0, 0)


def text(value):
    return value.decode() if isinstance(value, bytes) else value or ""


def show(name, request):
    path = request.url.split("/", 3)[3]
    print(f"=== {name}\n{request.method} /{path}")
    for key, value in request.headers.items():
        if not key.startswith("amz-sdk-"):  # not signed, and different every time
            print(f"{key}: {text(value)}")
    if "Host" not in request.headers:
        print("Host: " + request.url.split("/")[2])
    print("\n" + text(request.body))


def fixed_time(*args, **kwargs):
    return NOW


class Recorder:
    def __init__(self, name):
        self.name = name

    def __call__(self, request, **kwargs):
        show(self.name, request)
        return AWSResponse(request.url, 200, {}, Raw())


class Raw:
    def stream(self, *args, **kwargs):
        yield b"{}"

    def read(self, *args, **kwargs):
        return b"{}"


def client(name, url="http://127.0.0.1:8080", region="eu-central-1"):
    session = botocore.session.Session()
    out = session.create_client("dynamodb", region_name=region, endpoint_url=url, aws_access_key_id=ID,
                                aws_secret_access_key=SECRET, config=Config(user_agent="botocore", retries={"max_attempts": 0}))
    out.meta.events.register("before-send.dynamodb", Recorder(name))
    return out


def presign(name, method, url, body=b"", headers=None, expires=600):
    request = AWSRequest(method=method, url=url, data=body, headers=headers or {})
    botocore.auth.SigV4QueryAuth(Credentials(ID, SECRET), "dynamodb", "us-east-1", expires).add_auth(request)
    show(name, request.prepare())


def sign(name, method, url, body=b"", headers=None):
    request = AWSRequest(method=method, url=url, data=body, headers=headers or {})
    botocore.auth.SigV4Auth(Credentials(ID, SECRET), "dynamodb", "us-east-1").add_auth(request)
    show(name, request.prepare())


def main():
    botocore.auth.get_current_datetime = fixed_time
    print(f"botocore {botocore.__version__}", file=sys.stderr)
    item = {"pk": {"S": "USER#1"}, "n": {"N": "3.14"}, "text": {"S": "Grüße \"quoted\" \n"}}
    client("put").put_item(TableName="notes", Item=item)
    client("get").get_item(TableName="notes", Key={"pk": {"S": "USER#1"}}, ConsistentRead=True)
    client("query").query(TableName="notes", KeyConditionExpression="pk = :p",
                          ExpressionAttributeValues={":p": {"S": "USER#1"}})
    client("list").list_tables()
    client("with a path", url="http://localhost:8080/v1/dynamodb").list_tables(Limit=3)
    client("another region", region="us-gov-west-1").describe_limits()
    json = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.ListTables"}
    sign("a path to encode", "POST", "http://localhost/v1/%20odd/./x/../path%2F~/?b=2&a=1&a=0&empty=", b"{}", json)
    sign("blanks in a header", "POST", "http://localhost/", b"{}", {**json, "X-Amz-Meta": "  a   b  c "})
    sign("a Date header", "POST", "http://localhost/", b"{}", {**json, "Date": "replaced"})
    presign("presigned", "POST", "http://localhost:8080/", b"{}", json)
    presign("presigned with a query of its own", "GET", "http://localhost/v1/dynamodb?x=1&a=%C3%BC&b=", b"", {})


main()
