// The contract of requests and replies, over msgpack frames. The suites are the same for both encodings.
import {compactSuite} from './suites/compact.mjs';
import {framingSuite} from './suites/framing.mjs';
import {helloSuite} from './suites/hello.mjs';
import {inboxSuite} from './suites/inbox.mjs';
import {messagesSuite} from './suites/messages.mjs';
import {requestsSuite} from './suites/requests.mjs';
import {threadsSuite} from './suites/threads.mjs';

for (const suite of [helloSuite, framingSuite, requestsSuite, threadsSuite, messagesSuite, inboxSuite, compactSuite]) suite('msgpack');
