import type { Card, Fields } from '@parley/sdk';
import { capitalized, money, zonedTime } from '@parley/shared';

/** request_revisions → Request revisions, FS_REQUEST_QUOTE → Fs request quote, newStart → New start. */
export function words(name: string): string {
  const text = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .trim();
  return text === '' ? name : capitalized(text);
}

const kTitles: Readonly<Record<string, string>> = {
  REQUEST_EXTRA: 'Extra',
  OVERTIME_START: 'Overtime',
  OVERTIME_STOP: 'End of overtime',
  DELIVERABLE_PROOF: 'Proofs',
  DELIVERABLE_FINAL: 'Final delivery',
  APPROVE_DELIVERABLE: 'Approval',
  REQUEST_REVISIONS: 'Revisions',
  CANCEL_REQUEST: 'Cancellation',
  REFUND_REQUEST: 'Refund',
  DISPUTE_OPEN: 'Dispute',
};

export function cardTitle(type: string): string {
  return kTitles[type] ?? words(type);
}

export interface CardLine {
  label: string;
  value: string;
}

const kTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const kLinesMax = 24;
const kItemsMax = 50;
const kCents = /Cents$/;
// Fields for programs, which mean nothing to people.
const kInternal = /(Id|Ids|Key|Keys|Hash|Sha256)$|^(id|ids|key|sha256|checksum)$/;

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function currencyOf(payload: Fields): string {
  return typeof payload['currency'] === 'string' ? payload['currency'] : '';
}

function shown(name: string, value: unknown, currency: string): string | null {
  if (value === null || value === undefined || value === '' || kInternal.test(name)) return null;
  if (typeof value === 'number') return kCents.test(name) ? money(value, currency) : String(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return kTime.test(value) ? zonedTime(Date.parse(value)) : value;
  if (!Array.isArray(value)) return null;
  if (value.every((item) => typeof item === 'string')) return value.join(', ');
  return value.every(isMap) ? null : `${value.length} ${value.length === 1 ? 'item' : 'items'}`;
}

/** One item of a list: "2 × Lamp", with its price. */
function itemLine(item: Fields, position: number, list: string, currency: string): CardLine {
  const { title, name, qty, unitCents } = item;
  const called = [title, name].find((text) => typeof text === 'string' && text !== '') as string | undefined;
  const count = typeof qty === 'number' ? qty : 1;
  const label = called ?? `${words(list.replace(/s$/, ''))} ${position + 1}`;
  if (typeof unitCents === 'number') {
    const total = money(count * unitCents, currency);
    return { label: count === 1 ? label : `${count} × ${label}`, value: count === 1 ? total : `${money(unitCents, currency)} each, ${total}` };
  }
  const rest = Object.entries(item).flatMap(([field, value]) => (field === 'title' || field === 'name' ? [] : (shown(field, value, currency) ?? [])));
  return { label, value: rest.join(', ') };
}

/**
 * Formats a payload for people: a line per field, per field of a map in it, and per item of a list with its price;
 * the total comes last. Omits ids and other fields for programs.
 */
export function cardLines(payload: Fields): CardLine[] {
  const currency = currencyOf(payload);
  const lines: CardLine[] = [];
  const add = (prefix: string, fields: Fields, deeper: boolean): void => {
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'currency' || name === 'totalCents' || lines.length >= kLinesMax) continue;
      if (deeper && isMap(value)) {
        add(`${prefix}${name} `, value, false);
        continue;
      }
      if (Array.isArray(value) && value.length > 0 && value.every(isMap)) {
        lines.push(...value.slice(0, kItemsMax).map((item, position) => itemLine(item, position, name, currency)));
        if (value.length > kItemsMax) lines.push({ label: '', value: `and ${value.length - kItemsMax} more` });
        continue;
      }
      const text = shown(name, value, currency);
      if (text !== null) lines.push({ label: words(`${prefix}${name}`.replace(kCents, '')), value: text });
    }
  };
  add('', payload, true);
  if (typeof payload['totalCents'] === 'number') lines.push({ label: 'Total', value: money(payload['totalCents'], currency) });
  return lines;
}

/** The input that an intent needs before it is sent. */
export type IntentInput = 'nothing' | 'note' | 'payload';

const kNoted = new Set(['decline', 'request_revisions', 'escalate', 'cancel', 'refund', 'resolve', 'reject']);

export function inputOf(card: Pick<Card, 'type'>, intent: string): IntentInput {
  if (card.type === 'RESCHEDULE' && intent === 'counter') return 'payload';
  if (card.type.startsWith('DELIVERABLE_') && intent === 'resubmit') return 'payload';
  return kNoted.has(intent) ? 'note' : 'nothing';
}

// Intents that accept a card's proposal.
const kAgreeing = new Set(['accept', 'approve', 'confirm', 'acknowledge', 'settle', 'pay', 'refund', 'resolve']);
// Cards whose acceptance costs money although the card names no amount.
const kCharged = new Set(['OVERTIME_START', 'OVERTIME_STOP', 'CANCEL_REQUEST', 'REFUND_REQUEST']);

/** Returns the amount of a payload in words: its total, else its price, else each of its amounts; null if it has none. */
export function amountOf(payload: Fields): string | null {
  const currency = currencyOf(payload);
  for (const name of ['totalCents', 'priceCents', 'amountCents']) {
    const cents = payload[name];
    if (typeof cents === 'number') return money(cents, currency);
  }
  const named = Object.entries(payload).filter(([name, value]) => kCents.test(name) && typeof value === 'number');
  return named.length === 0 ? null : named.map(([, value]) => money(value as number, currency)).join(' and ');
}

/** Returns the confirmation question of an intent that moves money, or null. */
export function costQuestion({ type, payload }: Pick<Card, 'type' | 'payload'>, intent: string): string | null {
  if (!kAgreeing.has(intent)) return null;
  const amount = amountOf(payload);
  if (amount !== null) return `${words(intent)} ${amount}?`;
  return kCharged.has(type) ? `${words(intent)}? This may cost money.` : null;
}
