import type { Fields } from '@parley/sdk';

/** A field in which two versions of a tab differ from their common base, or from each other. */
export interface Difference {
  name: string;
  mine: unknown;
  theirs: unknown;
  /** Both sides changed it differently: `merged` item by item, or `both`, if a person must decide. */
  changed: 'mine' | 'theirs' | 'merged' | 'both';
}

export interface Merge {
  /** The merged content; a field that both changed has my value. */
  content: Fields;
  differences: Difference[];
}

/** Merges three ways by field, and lists of items with ids by item, unless both sides changed the same item. */
export function mergeContents(base: Fields, mine: Fields, theirs: Fields): Merge {
  const content: Fields = {};
  const differences: Difference[] = [];
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const [was, own, other] = [base[name], mine[name], theirs[name]];
    const put = (value: unknown): void => {
      if (value !== undefined) content[name] = value;
    };
    if (same(own, other)) {
      put(own);
    } else if (same(own, was)) {
      put(other);
      differences.push({ name, mine: own, theirs: other, changed: 'theirs' });
    } else if (same(other, was)) {
      put(own);
      differences.push({ name, mine: own, theirs: other, changed: 'mine' });
    } else {
      const merged = mergeItems(was, own, other);
      put(merged ?? own);
      differences.push({ name, mine: own, theirs: other, changed: merged === null ? 'both' : 'merged' });
    }
  }
  return { content, differences };
}

type Item = Fields & { id: string };

function itemsOf(value: unknown): Item[] | null {
  const items = value === undefined ? [] : value;
  if (!Array.isArray(items)) return null;
  return items.every((item) => typeof (item as Item | null)?.id === 'string') ? (items as Item[]) : null;
}

/**
 * Their order, with my changes, my additions at the end and without items I removed. Null if both sides changed the
 * same item, or if I changed the order.
 */
export function mergeItems(base: unknown, mine: unknown, theirs: unknown): unknown[] | null {
  const [was, own, other] = [itemsOf(base), itemsOf(mine), itemsOf(theirs)];
  if (was === null || own === null || other === null) return null;
  const byId = (items: Item[]): Map<string, Item> => new Map(items.map((item) => [item.id, item]));
  const [before, here] = [byId(was), byId(own)];
  if (reordered(was, own)) return null;
  const merged: Item[] = [];
  for (const item of other) {
    const old = before.get(item.id);
    const held = here.get(item.id);
    if (same(held, item) || same(held, old)) merged.push(item);
    else if (!same(item, old)) return null;
    else if (held !== undefined) merged.push(held);
  }
  const there = byId(other);
  for (const item of own) {
    if (there.has(item.id)) continue;
    const old = before.get(item.id);
    if (old === undefined) merged.push(item);
    else if (!same(old, item)) return null; // they removed an item that I changed
  }
  return merged;
}

function reordered(was: Item[], own: Item[]): boolean {
  const place = new Map(was.map((item, at) => [item.id, at]));
  const places = own.map((item) => place.get(item.id)).filter((at) => at !== undefined);
  return places.some((at, i) => i > 0 && at < places[i - 1]!);
}

/** Equal as JSON, whatever the order of the keys. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same((a as Fields)[key], (b as Fields)[key]));
}

/** A field's value in words, for showing two versions side by side. */
export function summary(value: unknown): string {
  if (value === undefined || value === null || value === '') return '(empty)';
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.map(summary).join('\n');
  if (typeof value !== 'object') return String(value);
  const item = value as Fields;
  const text = item['name'] ?? item['caption'] ?? item['title'] ?? item['url'] ?? item['id'];
  if (text === undefined) return JSON.stringify(value);
  const name = typeof text === 'object' ? JSON.stringify(text) : String(text); // a map has no text of its own
  return typeof item['status'] === 'string' ? `${name} (${item['status']})` : name;
}
