import type { ConductState } from '@parley/sdk';
import { useState } from 'react';
import { kLasting } from './decision.js';
import { ReasonForm } from './reason_form.js';
import { useShortcuts } from './shortcuts_context.js';
import { kConductWords } from './words.js';

const kStates = Object.keys(kConductWords) as ConductState[];
const kEnding: readonly ConductState[] = ['shadow', 'muted', 'suspended'];

interface ConductFormProps {
  now: ConductState;
  change: (state: ConductState, reason: string, until: string | null) => Promise<void>;
}

export function ConductForm({ now, change }: ConductFormProps) {
  const [state, setState] = useState<ConductState | null>(null);
  const [lasting, setLasting] = useState('24h');
  const chosen = state ?? (now === 'ok' ? 'warned' : 'ok');
  useShortcuts([{ keys: 's', words: 'Change the standing', act: () => document.querySelector<HTMLElement>('[data-testid=conduct-state]')?.focus() }]);
  const act = async (reason: string): Promise<void> => {
    const ms = kEnding.includes(chosen) ? (kLasting.find(({ name }) => name === lasting)?.ms ?? null) : null;
    await change(chosen, reason, ms === null ? null : new Date(Date.now() + ms).toISOString());
    setState(null);
  };
  return (
    <ReasonForm testId="conduct" verb="Change" act={act}>
      <label className="field">
        Becomes
        <select data-testid="conduct-state" value={chosen} onChange={(event) => setState(kStates.find((known) => known === event.target.value) ?? null)}>
          {kStates.map((known) => (
            <option key={known} value={known}>
              {kConductWords[known]}
            </option>
          ))}
        </select>
      </label>
      {kEnding.includes(chosen) ? (
        <label className="field">
          For
          <select data-testid="conduct-lasting" value={lasting} onChange={(event) => setLasting(event.target.value)}>
            {kLasting.map(({ name, words }) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
      ) : null}
    </ReasonForm>
  );
}
