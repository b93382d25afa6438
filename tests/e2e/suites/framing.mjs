// Invalid frames, and how the session ends (protocol, sections 1 and 2).
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {encode, ExtData} from '@msgpack/msgpack';
import {within} from '../lib/deadline.mjs';
import {kEncodings} from '../lib/encodings.mjs';
import {refused} from '../lib/errors.mjs';
import {withServer} from '../lib/suite.mjs';
import {createThread, fresh} from '../lib/world.mjs';

const bytes = (...parts) => Buffer.concat(parts.map((part) => (
  typeof part === 'number' ? Buffer.from([part]) : typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
const nested = (depth) => (depth === 0 ? 1 : [nested(depth - 1)]);
const ping = {id: 1, op: 'session.ping', args: {}};

// Each closes the session with 1007.
const kUndecodable = {
  json: {
    'no JSON': '{"id":1,', 'an empty frame': '', 'bytes behind the map': '{"id":1,"op":"session.ping"} 1',
    'a duplicate key': '{"id":1,"id":2,"op":"session.ping"}', 'NaN': '{"id":NaN,"op":"session.ping"}',
    'a control character in a string': '{"id":1,"op":"session.ping","args":{"a":"\u0001"}}',
    'deeper than 32': JSON.stringify({...ping, args: {a: nested(40)}}),
    'very deep': `${'['.repeat(60_000)}${']'.repeat(60_000)}`,
  },
  msgpack: {
    'a cut map': bytes(0x82, 0xa2, 'id', 0x01), 'an empty frame': bytes(), 'the byte that is never used': bytes(0xc1),
    'bytes behind the map': bytes(Buffer.from(encode(ping)), 0xc0),
    'a duplicate key': bytes(0x83, 0xa2, 'id', 0x01, 0xa2, 'id', 0x02, 0xa2, 'op', 0xac, 'session.ping'),
    'a key that is no string': bytes(0x82, 0x01, 0x01, 0xa2, 'op', 0xac, 'session.ping'),
    'an extension': Buffer.from(encode({...ping, args: {a: new ExtData(5, new Uint8Array(4))}})),
    'a timestamp': Buffer.from(encode({...ping, args: {a: new Date()}})),
    'binary': Buffer.from(encode({...ping, args: {a: new Uint8Array(3)}})),
    'invalid UTF-8 in a string': bytes(0x82, 0xa2, 'id', 0x01, 0xa2, 'op', 0xa2, 0xc3, 0x28),
    'deeper than 32': Buffer.from(encode({...ping, args: {a: nested(40)}})),
    'very deep': Buffer.alloc(200_000, 0x91),
    'an array that claims 4 billion elements': bytes(0xdd, 0xff, 0xff, 0xff, 0xff),
    'a map that claims 4 billion entries': bytes(0xdf, 0xff, 0xff, 0xff, 0xff),
    'a string that claims 4 GiB': bytes(0xdb, 0xff, 0xff, 0xff, 0xff),
  },
};

export function framingSuite(encoding) {
  describe(`frames over ${encoding}`, () => {
    const on = withServer({encoding});

    async function closes(code, provoke, note) {
      const session = await on.as(fresh('ann'));
      await provoke(session);
      const {code: got} = await within(session.closed, `the close with ${code} (${note})`);
      assert.equal(got, code, note);
      return session;
    }

    it('closes with 1007 if a frame does not decode or exceeds a bound', async () => {
      for (const [note, data] of Object.entries(kUndecodable[encoding])) {
        await closes(1007, (session) => session.sendRaw(data), note);
      }
    });

    it('checks framing before the hello too', async () => {
      const session = await on.open();
      session.sendRaw(Object.values(kUndecodable[encoding])[0]);
      assert.equal((await within(session.closed, 'the close')).code, 1007);
    });

    it('closes with 1003 on a frame of the other kind', async () => {
      const other = kEncodings[encoding === 'json' ? 'msgpack' : 'json'];
      await closes(1003, (session) => session.sendRaw(other.encode(ping), other.binary), 'the other encoding');
    });

    it('accepts a frame of just under 256 KiB and closes with 1009 above', async () => {
      const pad = (n) => ({id: 1, op: 'session.ping', args: {pad: 'x'.repeat(n)}});
      const ann = await on.as(fresh('ann'));
      await refused(ann.request('session.ping', {pad: 'x'.repeat(262144 - 200)}), 'BAD_REQUEST');
      await closes(1009, (session) => session.sendFrame(pad(262144)), 'too large');
      await closes(1009, (session) => session.sendFrame(pad(3_000_000)), 'far too large');
    });

    it('adds up the fragments of a message for the frame limit', async () => {
      const session = await on.as(fresh('ann'));
      for (let i = 0; i < 8; ++i) session.socket.send('x'.repeat(64 * 1024), {binary: false, fin: false});
      assert.equal((await within(session.closed, 'the close with 1009')).code, 1009);
    });

    it('closes with 4400 if a frame decodes but is not a request', async () => {
      for (const value of [[], [1], 'session.ping', 7, null, true, {}, {id: 1}, {id: 1, op: 7}, {id: 1, op: null},
                           {id: 1, args: {}}]) {
        await closes(4400, (session) => session.sendFrame(value), JSON.stringify(value));
      }
    });

    it('closes with 4400 on an id that is not an unsigned 32-bit number', async () => {
      for (const id of [-1, 2 ** 32, 2 ** 40, 1.5, '7', true, {}, []]) {
        await closes(4400, (session) => session.sendFrame({...ping, id}), `id ${JSON.stringify(id)}`);
      }
    });

    it('accepts the ids 0 and 2^32-1, and an id again once it is answered', async () => {
      const ann = await on.as(fresh('ann'));
      for (const id of [0, 2 ** 32 - 1, 0, 5, 5]) {
        await within(ann.reply(id, {...ping, id}), `the reply to id ${id}`);
      }
    });

    it('closes with 4400 on an id that is still outstanding', async () => {
      await closes(4400, async (session) => {
        const {thread: {threadId}} = await createThread(session, fresh('bob'));
        const sends = Array.from({length: 40}, (_, i) => ({
          id: 99, op: 'message.send', args: {threadId, clientId: `c${i}`, type: 'text', body: 'again'}}));
        session.lenient = true;
        session.sendTogether(sends);
      }, 'outstanding id');
    });

    it('answers values nested within the bound', async () => {
      const ann = await on.as(fresh('ann'));
      await refused(ann.request('session.ping', {a: nested(25)}), 'BAD_REQUEST');
    });
  });
}
