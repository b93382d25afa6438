import type { CaseActionArgs } from '@parley/sdk';
import { useNames } from '@parley/shared';
import { When } from './when.js';
import { kActionWords, plain } from './words.js';

/** One action of a decision, in words. */
export function ActionWords({ of }: { of: CaseActionArgs }) {
  const nameOf = useNames();
  return (
    <>
      {kActionWords[of.action] ?? plain(of.action)}
      {of.userId ? `: ${nameOf(of.userId)}` : ''}
      {of.until ? (
        <>
          , until <When at={of.until} long />
        </>
      ) : null}
    </>
  );
}
