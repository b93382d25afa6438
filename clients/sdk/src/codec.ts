import { decode, encode } from '@msgpack/msgpack';

export const kSubprotocol = 'parley.v1.msgpack';

export type Frame = Record<string, unknown>;

// A page of 200 messages of 8 KiB with their envelopes stays far below these; a broken peer does not get past them.
const kMaxFrameBytes = 8 * 1024 * 1024;
const kDecodeBounds = { maxStrLength: 1 << 20, maxArrayLength: 20_000, maxMapLength: 20_000, maxBinLength: 0, maxExtLength: 0 };

/** Absent optional fields must not travel as null: null clears a field on the server. */
export function encodeFrame(frame: Frame): Uint8Array<ArrayBuffer> {
  return encode(frame, { ignoreUndefined: true });
}

/** The map of one binary frame, or null when the bytes are no map within bounds. */
export function decodeFrame(data: unknown): Frame | null {
  if (!(data instanceof ArrayBuffer) || data.byteLength > kMaxFrameBytes) return null;
  try {
    const value = decode(new Uint8Array(data), kDecodeBounds);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Frame) : null;
  } catch {
    return null;
  }
}
