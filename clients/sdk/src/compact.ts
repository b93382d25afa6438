import type { Frame } from './codec.js';
import { kCompactRules } from './compact_rules.js';

// A session that requests it (`compact` of session.hello) receives items without fields that have their default or
// repeat the frame around them. This file restores those fields, so that no other code needs to know of them.

type Item = Record<string, unknown>;

/** Restores the omitted fields of an event, in place. */
export function fillEvent(event: Frame & { ev: string }): void {
  for (const [place, name] of Object.entries(kCompactRules.events[event.ev] ?? {})) {
    const item = event[place];
    if (isItem(item)) fill(item, name, event);
  }
  const item = event['item'];
  if (event.ev === 'message.created' && event['at'] === undefined && isItem(item)) event['at'] = item['createdAt'];
}

/** Restores the omitted fields of a reply to `op`, in place. */
export function fillReply(op: string, ok: Frame): void {
  for (const [list, name] of Object.entries(kCompactRules.replies[op] ?? {})) {
    for (const one of listOf(ok[list])) {
      if (name === 'Change') fillChange(one);
      else fill(one, name, null);
    }
  }
}

function fillChange(change: Item): void {
  const { kind, item } = change;
  const name = kCompactRules.events[`${String(kind)}.updated`]?.['item'];
  if (name !== undefined && isItem(item)) fill(item, name, null);
}

function fill(item: Item, name: string, frame: Frame | null): void {
  for (const [field, rule] of Object.entries(kCompactRules.items[name] ?? {})) {
    if (item[field] === undefined) {
      const value = rule.frame === true && frame !== null ? frame[field] : fresh(rule.default);
      if (value !== undefined) item[field] = value;
    }
    if (rule.of === undefined) continue;
    const within = item[field];
    if (isItem(within)) fill(within, rule.of, null);
    for (const one of listOf(within)) fill(one, rule.of, null);
  }
}

/** Copies a default, so that no two items share a list or map. */
function fresh(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return isItem(value) ? {} : value;
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): Item[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}
