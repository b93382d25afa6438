import { discarded, ParleyError } from './errors.js';
import type { Sent } from './wire.js';

interface Waiting {
  threadId: string;
  resolve: (sent: Sent) => void;
  reject: (error: ParleyError) => void;
}

/** The promises of sends, by clientId. A rejection that no caller handles raises no error. */
export class Sends {
  private readonly waiting = new Map<string, Waiting>();
  private over: ParleyError | null = null;

  expect(threadId: string, clientId: string): Promise<Sent> {
    const sent = new Promise<Sent>((resolve, reject) => this.waiting.set(clientId, { threadId, resolve, reject }));
    sent.catch(() => undefined);
    if (this.over !== null) this.refuse(clientId, this.over);
    return sent;
  }

  took(clientId: string, { messageId, seq, msgNo, createdAt }: Omit<Sent, 'threadId' | 'clientId'>): void {
    const waiting = this.take(clientId);
    waiting?.resolve({ threadId: waiting.threadId, clientId, messageId, seq, msgNo, createdAt });
  }

  refuse(clientId: string, error: ParleyError = discarded()): void {
    this.take(clientId)?.reject(error);
  }

  /** Rejects all promises, and new ones until `begin`. */
  end(error: ParleyError): void {
    this.over = error;
    for (const clientId of [...this.waiting.keys()]) this.refuse(clientId, error);
  }

  begin(): void {
    this.over = null;
  }

  private take(clientId: string): Waiting | undefined {
    const waiting = this.waiting.get(clientId);
    this.waiting.delete(clientId);
    return waiting;
  }
}
