import type { Attachment, Fields } from '@parley/sdk';
import { sizeText, typeText } from '@parley/shared';
import { safeHref } from './markdown.js';

/** Display data of a file; the wire describes files differently in different places. */
export interface FileFacts {
  name: string;
  /** Type and size, as far as known. */
  facts: string[];
  /** The file's address if a browser may follow it, else null. */
  href: string | null;
  sort: 'image' | 'video' | 'audio' | 'archive' | 'text' | 'list' | 'other';
}

function sortOf(mime: string): FileFacts['sort'] {
  const family = /^(image|video|audio|text)\//.exec(mime)?.[1];
  if (family !== undefined) return family as FileFacts['sort'];
  if (mime === 'application/pdf') return 'text';
  return /zip|rar|tar|7z/.test(mime) ? 'archive' : 'other';
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number | null => (typeof value === 'number' && value >= 0 ? value : null);

/** The last part of a path or address, as a name for people. */
export function baseName(path: string): string {
  const plain = path.replace(/[?#].*$/, '').replace(/\/+$/, '');
  const last = plain.slice(plain.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function factsOf(mime: string, size: number | null, more: readonly string[] = []): string[] {
  return [...(mime === '' ? [] : [typeText(mime)]), ...more, ...(size === null ? [] : [sizeText(size)])];
}

export function attachmentFacts(attachment: Attachment): FileFacts {
  const { manifestRef, s3Key, w, h, size, name } = attachment;
  const mime = text(attachment.mime);
  const list = attachment.kind === 'manifest';
  const path = manifestRef ?? s3Key ?? '';
  return {
    name: text(name) || baseName(path) || 'File',
    facts: [...(list ? ['List of files'] : []), ...factsOf(mime, count(size), w && h ? [`${w} × ${h}`] : [])],
    href: safeHref(path),
    sort: list ? 'list' : sortOf(mime),
  };
}

/** A proof or a final delivery in the tab `files`. */
export function tabFileFacts(item: Fields): FileFacts {
  const mime = text(item['mime']);
  return {
    name: text(item['name']) || baseName(text(item['s3Key'])) || text(item['id']) || 'File',
    facts: factsOf(mime, count(item['bytes'])),
    href: safeHref(text(item['url'])),
    sort: sortOf(mime),
  };
}

/** A final delivery: a list of files stored with a provider. */
export function finalFacts(item: Fields): FileFacts {
  const entries = Array.isArray(item['entries']) ? item['entries'].length : 0;
  const facts = [text(item['provider']), entries === 0 ? '' : `${entries} ${entries === 1 ? 'file' : 'files'}`];
  return {
    name: text(item['name']) || baseName(text(item['manifestRef'])) || 'Delivery',
    facts: facts.filter((fact) => fact !== ''),
    href: safeHref(text(item['manifestRef'])),
    sort: 'list',
  };
}
