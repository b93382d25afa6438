import type { CaseActionArgs } from '@parley/sdk';
import { Name } from '@parley/shared';
import { When } from './when.js';
import { kActionWords, plain } from './words.js';

/** Describes one action of a decision in words. */
export function ActionWords({ of }: { of: CaseActionArgs }) {
  return (
    <>
      {kActionWords[of.action] ?? plain(of.action)}
      {of.userId ? <>: <Name id={of.userId} /></> : null}
      {of.until ? (
        <>
          , until <When at={of.until} long />
        </>
      ) : null}
    </>
  );
}
