import { useRef } from 'react';
import { ReasonForm } from './reason_form.js';
import { useShortcuts } from './shortcuts_context.js';

interface LookInGateProps {
  threadId: string;
  /** The case that the viewer came from, offered as the reason; null: no case. */
  caseId: string | null;
  look: (reason: string) => Promise<void>;
}

export function LookInGate({ threadId, caseId, look }: LookInGateProps) {
  const box = useRef<HTMLElement>(null);
  useShortcuts([{ keys: 'l', words: 'Read it; this is recorded', act: () => box.current?.querySelector('input')?.focus() }]);
  return (
    <>
      <h1 id="page-title">Conversation</h1>
      <section ref={box} className="card look-in" data-testid="look-in-gate" aria-label="Before you read this conversation">
        <p>
          You are about to read what others wrote to each other in <strong>{threadId}</strong>. That you looked is recorded, with the time, your name and
          your reason.
        </p>
        <ReasonForm testId="look-in" verb="Read it" first={caseId ?? ''} act={look} />
      </section>
    </>
  );
}
