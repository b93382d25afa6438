import { encode } from '@msgpack/msgpack';
import { readMap, type ReadMap } from './msgpack_reader.js';
import { wellFormed } from './well_formed.js';

export const kSubprotocol = 'parley.v1.msgpack';

export type Frame = Record<string, unknown>;

// Well above a page of 200 messages of 8 KiB with their envelopes; protects against a broken peer.
export const kMaxFrameBytes = 8 * 1024 * 1024;
const kDepthMax = 33; // the server's limit: 32 maps and lists; a value in the innermost is one level deeper
const kBeginning = 256; // the part of an oversized frame that is decoded: enough for its id

/**
 * Encodes a frame without undefined fields, because null would clear a field on the server. Throws if the frame
 * cannot be encoded.
 */
export function encodeFrame(frame: Frame): Uint8Array<ArrayBuffer> {
  return encode(wellFormed(frame), { ignoreUndefined: true, maxDepth: kDepthMax });
}

/** Decodes one binary frame, partly if it is damaged; returns null if nothing can be decoded. */
export function decodeFrame(data: unknown, maxBytes = kMaxFrameBytes): ReadMap | null {
  if (!(data instanceof ArrayBuffer)) return null;
  const fits = data.byteLength <= maxBytes;
  const read = readMap(new Uint8Array(data, 0, fits ? data.byteLength : Math.min(kBeginning, data.byteLength)));
  if (!fits) read.whole = false;
  return read.whole || Object.keys(read.map).length > 0 ? read : null;
}
