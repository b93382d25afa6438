import type { Card, Fields } from '@parley/sdk';
import { capitalized, longTime } from '@parley/shared';

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
const kSignificant = /Cents$/;

function shown(name: string, value: unknown, currency: string): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number') {
    return kSignificant.test(name) ? `${(value / 100).toFixed(2)} ${currency}`.trim() : String(value);
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return kTime.test(value) ? longTime(Date.parse(value)) : value;
  if (!Array.isArray(value)) return null;
  const plain = value.every((item) => typeof item === 'string');
  return plain ? value.join(', ') : `${value.length} ${value.length === 1 ? 'item' : 'items'}`;
}

/** What a payload says, one line per field; of maps within it, their fields. */
export function cardLines(payload: Fields): CardLine[] {
  const currency = typeof payload['currency'] === 'string' ? payload['currency'] : '';
  const lines: CardLine[] = [];
  const add = (prefix: string, fields: Fields, deeper: boolean): void => {
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'currency' || lines.length >= kLinesMax) continue;
      if (deeper && typeof value === 'object' && value !== null && !Array.isArray(value)) {
        add(`${prefix}${name} `, value as Fields, false);
        continue;
      }
      const text = shown(name, value, currency);
      if (text !== null) lines.push({ label: words(`${prefix}${name}`.replace(kSignificant, '')), value: text });
    }
  };
  add('', payload, true);
  return lines;
}

/** What has to be asked before an intent is sent. */
export type IntentInput = 'nothing' | 'note' | 'payload';

const kNoted = new Set(['decline', 'request_revisions', 'escalate', 'cancel', 'refund', 'resolve', 'reject']);

export function inputOf(card: Pick<Card, 'type'>, intent: string): IntentInput {
  if (card.type === 'RESCHEDULE' && intent === 'counter') return 'payload';
  if (card.type.startsWith('DELIVERABLE_') && intent === 'resubmit') return 'payload';
  return kNoted.has(intent) ? 'note' : 'nothing';
}
