import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from '../src/codec.js';

const buffer = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;

describe('a frame', () => {
  it('comes back as it was sent, without the fields that are absent', () => {
    const frame = { id: 7, op: 'message.send', args: { body: 'naïve 🌊', replyTo: undefined, until: null } };
    expect(decodeFrame(buffer(encodeFrame(frame)))).toEqual({ id: 7, op: 'message.send', args: { body: 'naïve 🌊', until: null } });
  });

  it('is refused when it is no map, is cut short, or is text', () => {
    expect(decodeFrame(buffer(encode([1, 2])))).toBeNull();
    expect(decodeFrame(buffer(encodeFrame({ ev: 'typing' }).slice(0, -2)))).toBeNull();
    expect(decodeFrame('{}')).toBeNull();
  });

  it('is refused when it claims more elements than any reply has', () => {
    expect(decodeFrame(buffer(new Uint8Array([0x81, 0xa1, 0x61, 0xdd, 0xff, 0xff, 0xff, 0xff])))).toBeNull();
  });
});
