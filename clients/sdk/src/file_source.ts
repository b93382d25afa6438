import { badArgument } from './errors.js';

/** What can be uploaded. Streams need the option `size`; Node's `fs.openAsBlob` makes a Blob of a file. */
export type FileContent = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes of a file, read piece by piece. */
export interface FileSource {
  size: number;
  /** REQUIRES: of a stream, `start` never goes back before that of the last call. */
  read: (start: number, end: number) => Promise<Bytes>;
  /** Reading again gives the same bytes. */
  repeatable: boolean;
}

export interface FileFacts {
  name: string;
  mime: string;
  /** When the file was changed, in ms; null: not known. */
  lastModified: number | null;
}

// Types that browsers on some systems do not know, and all types for programs.
const kTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif', csv: 'text/csv', gif: 'image/gif', heic: 'image/heic', jpeg: 'image/jpeg', jpg: 'image/jpeg', mov: 'video/quicktime', mp4: 'video/mp4',
  pdf: 'application/pdf', png: 'image/png', txt: 'text/plain', webp: 'image/webp', zip: 'application/zip',
  doc: 'application/msword', ppt: 'application/vnd.ms-powerpoint', xls: 'application/vnd.ms-excel',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The media type by a name's ending; empty if it is not known. */
export function mimeOfName(name: string): string {
  const ending = /\.([a-z0-9]{2,4})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(kTypes, ending) ? kTypes[ending]! : '';
}

export function factsOf(content: FileContent, given: { name?: string | undefined; mime?: string | undefined }): FileFacts {
  const { name: ownName, type, lastModified } = content as Partial<File>;
  const name = given.name ?? (typeof ownName === 'string' && ownName !== '' ? ownName : 'file');
  const own = typeof type === 'string' ? type.replace(/;.*$/, '') : '';
  return { name, mime: given.mime ?? (own === '' ? mimeOfName(name) : own), lastModified: typeof lastModified === 'number' ? lastModified : null };
}

function ofBytes(bytes: Uint8Array): FileSource {
  return { size: bytes.byteLength, repeatable: true, read: (start, end) => Promise.resolve(bytes.slice(start, end) as Bytes) };
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Holds the bytes from the last `start` on, so that a piece whose connection was lost can be sent again. */
function ofStream(chunks: AsyncIterator<Uint8Array>, size: number): FileSource {
  let held: Bytes = new Uint8Array(0);
  let heldAt = 0;
  const take = async (): Promise<void> => {
    const { done, value } = await chunks.next();
    if (done === true) throw badArgument(`the stream ended after ${heldAt + held.byteLength} of ${size} bytes`);
    const longer = new Uint8Array(held.byteLength + value.byteLength);
    longer.set(held);
    longer.set(value, held.byteLength);
    held = longer;
  };
  const read = async (start: number, end: number): Promise<Bytes> => {
    if (start < heldAt) throw badArgument('the stream cannot be read again');
    while (heldAt + held.byteLength < end) {
      if (heldAt + held.byteLength <= start) {
        heldAt += held.byteLength;
        held = new Uint8Array(0);
      }
      await take();
    }
    held = held.slice(start - heldAt);
    heldAt = start;
    return held.slice(0, end - start);
  };
  return { size, read, repeatable: false };
}

export function sourceOf(content: FileContent, size: number | undefined): FileSource {
  if (content instanceof Uint8Array) return ofBytes(content);
  if (content instanceof ArrayBuffer) return ofBytes(new Uint8Array(content));
  if (typeof Blob !== 'undefined' && content instanceof Blob) {
    return { size: content.size, repeatable: true, read: async (start, end) => new Uint8Array(await content.slice(start, end).arrayBuffer()) };
  }
  if (size === undefined || !Number.isSafeInteger(size) || size < 1) throw badArgument('a stream needs its size');
  const stream = content as Partial<ReadableStream<Uint8Array>> & Partial<AsyncIterable<Uint8Array>>;
  if (typeof stream.getReader === 'function') return ofStream(chunksOf(content as ReadableStream<Uint8Array>), size);
  if (typeof stream[Symbol.asyncIterator] === 'function') return ofStream((content as AsyncIterable<Uint8Array>)[Symbol.asyncIterator](), size);
  throw badArgument('the file is not a Blob, bytes or a stream');
}
