import { openMap } from './msgpack_reader.js';

// A lone surrogate, as in an emoji cut in two. It has no UTF-8 encoding, and a server closes the connection over it.
const kLone = /\p{Surrogate}/u;
const kEachLone = /\p{Surrogate}/gu;

/** Replaces lone surrogates by U+FFFD. */
export function wellFormedText(text: string): string {
  return kLone.test(text) ? text.replace(kEachLone, '\ufffd') : text;
}

/** Does the same for all texts in a value, including names of fields. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  const map = openMap();
  for (const [name, one] of Object.entries(value)) map[wellFormedText(name)] = wellFormed(one);
  return map;
}

const kReserved = new Set(['__proto__', 'constructor', 'prototype']);

/** Removes field names that servers reject today: a name accepted by an older server must not make the rest unsavable. */
export function withoutReservedNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutReservedNames);
  const kept = Object.entries(value).filter(([name]) => !kReserved.has(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutReservedNames(one)]));
}
