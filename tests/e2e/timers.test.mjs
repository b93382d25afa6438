// What takes its time by the contract: the hello timeout of ten seconds.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {within} from './lib/deadline.mjs';
import {withServer} from './lib/suite.mjs';
import {fresh} from './lib/world.mjs';

describe('a session that says no hello', {concurrency: true}, () => {
  const on = withServer({}, {concurrent: true});

  for (const encoding of ['json', 'msgpack']) {
    it(`is closed with 4408 (${encoding})`, async () => {
      const silent = await on.open({encoding});
      const ann = await on.as(fresh('ann'), {encoding});
      assert.equal((await within(silent.closed, 'the hello timeout')).code, 4408);
      await ann.request('session.ping');
    });
  }
});
