/** Reports that this user types, at most once per five seconds, because the server coalesces reports anyway. */
export class TypingOut {
  ttlMs = 10_000;
  private threadId: string | null = null;
  private sentAt = 0;

  constructor(
    private readonly send: (threadId: string, typing: boolean) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  typed(threadId: string): void {
    if (this.threadId !== null && this.threadId !== threadId) this.stopped(this.threadId);
    const everyMs = Math.max(1_000, Math.min(5_000, this.ttlMs * 0.7));
    if (this.threadId === threadId && this.now() - this.sentAt < everyMs) return;
    this.threadId = threadId;
    this.sentAt = this.now();
    this.send(threadId, true);
  }

  stopped(threadId: string): void {
    if (this.threadId !== threadId) return;
    this.threadId = null;
    this.send(threadId, false);
  }
}

/**
 * Clears a typing list that the server has not renewed, because its last update may have been lost with the
 * connection.
 */
export class TypingIn {
  ttlMs = 10_000;
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly clear: (threadId: string) => void) {}

  received(threadId: string): void {
    clearTimeout(this.timers.get(threadId));
    const timer = setTimeout(() => {
      this.timers.delete(threadId);
      this.clear(threadId);
    }, this.ttlMs * 2);
    this.timers.set(threadId, timer);
  }

  stop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}
