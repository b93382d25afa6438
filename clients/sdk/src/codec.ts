import { encode } from '@msgpack/msgpack';
import { readMap, type ReadMap } from './msgpack_reader.js';
import { wellFormed } from './well_formed.js';

export const kSubprotocol = 'parley.v1.msgpack';

export type Frame = Record<string, unknown>;

// A page of 200 messages of 8 KiB with their envelopes stays far below it; a broken peer does not get past it.
export const kMaxFrameBytes = 8 * 1024 * 1024;
const kDepthMax = 33; // of the server: 32 maps and lists; a value in the innermost is one step further
const kBeginning = 256; // of a frame that is too large: enough for its id

/** Absent optional fields must not travel as null: null clears a field on the server. Throws where a frame cannot say it. */
export function encodeFrame(frame: Frame): Uint8Array<ArrayBuffer> {
  return encode(wellFormed(frame), { ignoreUndefined: true, maxDepth: kDepthMax });
}

/** One binary frame: whole, or what of it can be read; null: nothing of it can. */
export function decodeFrame(data: unknown, maxBytes = kMaxFrameBytes): ReadMap | null {
  if (!(data instanceof ArrayBuffer)) return null;
  const fits = data.byteLength <= maxBytes;
  const read = readMap(new Uint8Array(data, 0, fits ? data.byteLength : Math.min(kBeginning, data.byteLength)));
  if (!fits) read.whole = false;
  return read.whole || Object.keys(read.map).length > 0 ? read : null;
}
