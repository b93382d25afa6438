import { openMap } from './msgpack_reader.js';

// Half of a pair, as of an emoji that was cut in two: no encoding of text has it, and a server ends the connection over it.
const kLone = /\p{Surrogate}/u;
const kEachLone = /\p{Surrogate}/gu;

/** The text with U+FFFD in place of what is no character. */
export function wellFormedText(text: string): string {
  return kLone.test(text) ? text.replace(kEachLone, '\ufffd') : text;
}

/** The same for all texts in a value, names included. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  const map = openMap();
  for (const [name, one] of Object.entries(value)) map[wellFormedText(name)] = wellFormed(one);
  return map;
}

const kReserved = new Set(['__proto__', 'constructor', 'prototype']);

/** Without the names that servers refuse today: one that an older server took must not keep the rest from being saved. */
export function withoutReservedNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutReservedNames);
  const kept = Object.entries(value).filter(([name]) => !kReserved.has(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutReservedNames(one)]));
}
