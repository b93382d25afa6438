import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from '../src/codec.js';

const buffer = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;

describe('a frame', () => {
  it('survives a round trip, without undefined fields', () => {
    const frame = { id: 7, op: 'message.send', args: { body: 'naïve 🌊', replyTo: undefined, until: null } };
    expect(decodeFrame(buffer(encodeFrame(frame)))).toEqual({ whole: true, map: { id: 7, op: 'message.send', args: { body: 'naïve 🌊', until: null } } });
  });

  it('contains every kind of value', () => {
    const texts = ['', 'a'.repeat(31), 'é'.repeat(40), 'x'.repeat(300), 'y'.repeat(70_000)];
    const numbers = [0, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, -1, -32, -33, -129, -40_000, -(2 ** 40), 1.5];
    const values = { texts, numbers, plain: [true, false, null], many: Array.from({ length: 70_000 }, (_, i) => i % 3), maps: Object.fromEntries(numbers.map((n) => [`n${n}`, { n }])) };
    expect(decodeFrame(buffer(encode(values)))?.map).toEqual(values);
    expect(decodeFrame(buffer(encode({ f: 0.5 }, { forceFloat32: true })))?.map).toEqual({ f: 0.5 });
  });

  it('is rejected if it is not a map, or is text', () => {
    expect(decodeFrame(buffer(encode([1, 2])))).toBeNull();
    expect(decodeFrame(buffer(encodeFrame({ ev: 'typing' }).slice(0, -2)))).toBeNull();
    expect(decodeFrame(buffer(new Uint8Array([0xc1])))).toBeNull();
    expect(decodeFrame('{}')).toBeNull();
  });

  it('is read up to its error if it is truncated, too deep, too large, or has wrong counts', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    expect(decodeFrame(buffer(encodeFrame({ id: 7, ok: { a: 1 } }).slice(0, -1)))).toEqual({ whole: false, map: { id: 7 } });
    expect(decodeFrame(buffer(encode({ id: 7, ok: deep(90) })))).toEqual({ whole: false, map: { id: 7 } });
    expect(decodeFrame(buffer(new Uint8Array([0x82, 0xa2, 0x69, 0x64, 7, 0xa1, 0x61, 0xdd, 0xff, 0xff, 0xff, 0xff])))).toEqual({ whole: false, map: { id: 7 } });
    expect(decodeFrame(buffer(encode({ id: 7, ok: 'x'.repeat(2_000) })), 1_000)).toEqual({ whole: false, map: { id: 7 } });
    expect(decodeFrame(buffer(new Uint8Array([...encode({ id: 7 }), 0])))).toMatchObject({ whole: false });
  });

  it('has exactly the sent keys in its maps, whatever they are', () => {
    const named: unknown = JSON.parse('{"payload":{"__proto__":{"x":1},"constructor":"c","toString":2}}');
    const { payload } = decodeFrame(buffer(encode(named)))!.map as { payload: Record<string, unknown> };
    expect(Object.keys(payload)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(payload['__proto__']).toEqual({ x: 1 });
    expect(payload['hasOwnProperty']).toBeUndefined();
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('has no lone surrogates in its texts and keys', () => {
    const cut = '👍'.slice(0, 1);
    const sent = decodeFrame(buffer(encodeFrame({ args: { body: `a${cut}b👍`, list: [cut], [cut]: '👍'.slice(1) } })));
    expect(sent?.map).toEqual({ args: { body: 'a\ufffdb👍', list: ['\ufffd'], '\ufffd': '\ufffd' } });
  });
});
