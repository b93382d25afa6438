import type { Attachment, Fields } from '@parley/sdk';
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

const kUnits = ['KB', 'MB', 'GB', 'TB'];

/** 999 B, 12 KB, 3.4 MB: three digits at most. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 999.5 && unit < kUnits.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${kUnits[unit]}`;
}

const kTypes: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/zip': 'ZIP archive',
  'image/jpeg': 'JPEG image',
  'image/svg+xml': 'SVG image',
  'text/plain': 'Text',
  'application/msword': 'Word document',
  'application/vnd.ms-excel': 'Excel sheet',
  'application/vnd.ms-powerpoint': 'PowerPoint slides',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint slides',
  'video/quicktime': 'QuickTime video',
};

/** image/png → PNG image. An unknown type is shown as is. */
export function typeText(mime: string): string {
  const known = kTypes[mime];
  if (known !== undefined) return known;
  const match = /^(image|video|audio)\/(?:x-)?([a-z0-9]{2,5})$/.exec(mime);
  return match === null ? mime : `${match[2]!.toUpperCase()} ${match[1]}`;
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
