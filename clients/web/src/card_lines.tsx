import type { Fields } from '@parley/sdk';
import { cardLines } from './card_text.js';

/** The payload of a card in readable lines. */
export function CardLines({ payload }: { payload: Fields }) {
  return (
    <dl className="card-lines" data-testid="card-lines">
      {cardLines(payload).map(({ label, value }, position) => (
        <div key={position}>
          <dt dir="auto">{label}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
