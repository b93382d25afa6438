// Decodes frames of the server. The library's own decoder rejects maps with a key `__proto__`, and returns objects
// with a prototype, whose members look like received fields.

/** An object without prototype, because keys may be anything, also `__proto__` or `constructor`. */
export type OpenMap = Record<string, unknown>;

const kDepthMax = 64; // the server accepts and returns values at most 32 deep, plus an envelope
const kText = new TextDecoder();
const kShortText = 24; // up to this many bytes, decoding ASCII by hand is faster

class Broken extends Error {}

class Reader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get ended(): boolean {
    return this.at === this.bytes.length;
  }

  value(depth: number): unknown {
    const head = this.uint(1);
    if (head < 0x80) return head;
    if (head < 0x90) return this.mapOf(head & 0x0f, depth);
    if (head < 0xa0) return this.listOf(head & 0x0f, depth);
    if (head < 0xc0) return this.textOf(head & 0x1f);
    return head >= 0xe0 ? head - 0x100 : this.longer(head, depth);
  }

  /** Reads the head of a map and returns its number of pairs. */
  mapHead(): number {
    const head = this.uint(1);
    if (head >= 0x80 && head < 0x90) return head & 0x0f;
    if (head === 0xde || head === 0xdf) return this.uint(head === 0xde ? 2 : 4);
    throw new Broken('no map');
  }

  key(depth: number): string {
    const key = this.value(depth);
    if (typeof key !== 'string') throw new Broken('a key that is no text');
    return key;
  }

  private longer(head: number, depth: number): unknown {
    switch (head) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return head === 0xc3;
      case 0xca:
        return this.view.getFloat32(this.skip(4));
      case 0xcb:
        return this.view.getFloat64(this.skip(8));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.uint(1 << (head - 0xcc));
      case 0xcf:
        return Number(this.view.getBigUint64(this.skip(8)));
      case 0xd0:
        return this.view.getInt8(this.skip(1));
      case 0xd1:
        return this.view.getInt16(this.skip(2));
      case 0xd2:
        return this.view.getInt32(this.skip(4));
      case 0xd3:
        return Number(this.view.getBigInt64(this.skip(8)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.textOf(this.uint(1 << (head - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.listOf(this.uint(head === 0xdc ? 2 : 4), depth);
      case 0xde:
      case 0xdf:
        return this.mapOf(this.uint(head === 0xde ? 2 : 4), depth);
      default:
        throw new Broken(`a value of type ${head}`); // the protocol has no bin and no ext
    }
  }

  private uint(size: number): number {
    const at = this.skip(size);
    return size === 1 ? this.view.getUint8(at) : size === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
  }

  private skip(size: number): number {
    const at = this.at;
    if (size > this.bytes.length - at) throw new Broken('cut short');
    this.at += size;
    return at;
  }

  private textOf(size: number): string {
    const at = this.skip(size);
    if (size <= kShortText) {
      let text = '';
      for (let i = at; i < at + size && this.bytes[i]! < 0x80; ++i) text += String.fromCharCode(this.bytes[i]!);
      if (text.length === size) return text;
    }
    return kText.decode(this.bytes.subarray(at, at + size));
  }

  private listOf(count: number, depth: number): unknown[] {
    this.enter(count, depth);
    const list: unknown[] = [];
    for (let i = 0; i < count; ++i) list.push(this.value(depth + 1));
    return list;
  }

  private mapOf(count: number, depth: number): OpenMap {
    this.enter(count, depth);
    const map = openMap();
    for (let i = 0; i < count; ++i) map[this.key(depth + 1)] = this.value(depth + 1);
    return map;
  }

  /** Each value takes at least a byte, so a count above the remaining bytes is invalid. */
  private enter(count: number, depth: number): void {
    if (depth >= kDepthMax) throw new Broken('nested too deeply');
    if (count > this.bytes.length - this.at) throw new Broken('cut short');
  }
}

export function openMap(): OpenMap {
  return Object.create(null) as OpenMap;
}

export interface ReadMap {
  map: OpenMap;
  /** False: decoding failed; `map` has the pairs before the error. */
  whole: boolean;
}

/** Decodes `bytes` as one map. */
export function readMap(bytes: Uint8Array): ReadMap {
  const reader = new Reader(bytes);
  const map = openMap();
  try {
    const count = reader.mapHead();
    for (let i = 0; i < count; ++i) map[reader.key(1)] = reader.value(1);
    return { map, whole: reader.ended };
  } catch {
    return { map, whole: false };
  }
}
