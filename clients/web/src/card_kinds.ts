import type { ThreadState } from '@parley/sdk';
import type { CardField } from './card_fields.js';

/** A kind of card that can be opened here. docs/cards.md has the server's rules for it. */
export interface CardKind {
  type: string;
  /** The text of the button that opens it. */
  label: string;
  by: 'party' | 'buyer' | 'seller';
  /** Shown directly; the others are under "More". */
  leading?: true;
  /** Cannot be opened during a dispute. */
  notInDispute?: true;
  fields: readonly CardField[];
  /** Checks a rule that spans several fields. */
  fits?: (payload: Readonly<Record<string, unknown>>) => boolean;
}

// The server's limits are in bytes of UTF-8, and a character takes up to three.
const kReason: CardField = { name: 'reason', label: 'Reason', input: 'text', required: true, max: 300 };
const kNote: CardField = { name: 'note', label: 'Note', input: 'text', max: 500 };
const kCurrency: CardField = { name: 'currency', label: 'Currency', input: 'text', required: true, initial: 'EUR', max: 3 };
const kDelivery: readonly CardField[] = [
  { name: 'manifestRef', label: 'Manifest', input: 'text', required: true, max: 340, placeholder: 'where the files are listed', testId: 'proofs-manifest' },
  { name: 'maxRevisions', label: 'Revisions included', input: 'number', required: true, min: 0, max: 20, initial: '2', agreed: true, testId: 'proofs-revisions' },
  { ...kNote, testId: 'proofs-note' },
];
const kDisputed = ['Not delivered', 'Not as agreed', 'Late', 'Payment', 'Damage', 'Something else'];

export const kCardKinds: readonly CardKind[] = [
  {
    type: 'RESCHEDULE',
    label: 'Propose a time',
    by: 'party',
    leading: true,
    fields: [
      { name: 'newStart', label: 'From', input: 'time', required: true, testId: 'schedule-start' },
      { name: 'newEnd', label: 'Until', input: 'time', required: true, testId: 'schedule-end' },
      { ...kReason, required: false, testId: 'schedule-reason' },
    ],
    fits: ({ newStart, newEnd }) => String(newStart) < String(newEnd),
  },
  { type: 'DELIVERABLE_PROOF', label: 'Submit proofs', by: 'seller', leading: true, fields: kDelivery },
  { type: 'DELIVERABLE_FINAL', label: 'Deliver', by: 'seller', fields: kDelivery },
  {
    type: 'REQUEST_EXTRA',
    label: 'Offer an extra',
    by: 'seller',
    notInDispute: true,
    fields: [
      { name: 'name', label: 'Name of the extra', input: 'text', required: true, max: 66 },
      { name: 'priceCents', label: 'Price', input: 'money', required: true },
      kCurrency,
      kNote,
    ],
  },
  {
    type: 'EXPENSE',
    label: 'Claim an expense',
    by: 'seller',
    notInDispute: true,
    fields: [
      { name: 'merchant', label: 'Paid to', input: 'text', required: true, max: 66 },
      { name: 'amountCents', label: 'Amount', input: 'money', required: true, min: 1 },
      kCurrency,
      { name: 'date', label: 'When', input: 'time', required: true },
      { name: 'receiptImage', label: 'Receipt', input: 'text', required: true, max: 340, placeholder: 'key of the uploaded picture' },
      { name: 'buyerPayable', label: 'The buyer pays it', input: 'check' },
      kNote,
    ],
  },
  {
    type: 'OVERTIME_START',
    label: 'Ask for overtime',
    by: 'party',
    fields: [{ name: 'minutes', label: 'Minutes', input: 'number', required: true, min: 1, max: 120 }, kNote],
  },
  {
    type: 'ACCEPTANCE_ACK',
    label: 'Declare complete',
    by: 'party',
    notInDispute: true,
    fields: [
      {
        name: 'kind',
        label: 'Completed part',
        input: 'choice',
        required: true,
        choices: [
          { value: 'time_based', label: 'The booked time' },
          { value: 'milestone', label: 'A milestone' },
        ],
      },
      { name: 'milestoneId', label: 'Milestone', input: 'text', max: 21 },
      { name: 'notes', label: 'Remarks', input: 'long', max: 660 },
    ],
    fits: ({ kind, milestoneId }) => kind !== 'milestone' || milestoneId !== undefined,
  },
  { type: 'CANCEL_REQUEST', label: 'Ask to cancel', by: 'party', fields: [kReason, kNote] },
  {
    type: 'REFUND_REQUEST',
    label: 'Ask for a refund',
    by: 'party',
    fields: [kReason, { name: 'amountCents', label: 'Amount (all if empty)', input: 'money', min: 1 }, kNote],
  },
  {
    type: 'DISPUTE_OPEN',
    label: 'Open a dispute',
    by: 'party',
    notInDispute: true,
    fields: [
      { name: 'reason', label: 'Reason', input: 'choice', required: true, choices: kDisputed.map((value) => ({ value, label: value })) },
      { name: 'details', label: 'What happened', input: 'long', max: 1_300 },
    ],
  },
];

export function kindOf(type: string): CardKind | undefined {
  return kCardKinds.find((kind) => kind.type === type);
}

/** Returns the kinds that the viewer may open here, as far as the thread's data shows. */
export function openableKinds({ thread, me }: ThreadState, userId: string): CardKind[] {
  if (thread?.kind !== 'project' || thread.status !== 'open' || me?.permission === 'read' || me?.permission === 'files') return [];
  const sides = { buyer: userId === thread.buyerUserId, seller: userId === thread.sellerUserId };
  const mine = (by: CardKind['by']): boolean => (by === 'party' ? sides.buyer || sides.seller : sides[by]);
  const disputed = thread.disputeMessageId !== null;
  return kCardKinds.filter((kind) => mine(kind.by) && !(disputed && kind.notInDispute));
}
