import type { Frame } from './codec.js';
import { ParleyError } from './errors.js';
import type { Store } from './store.js';
import type { UserName } from './wire.js';

const kAtOnce = 100;
const kGatherMs = 20;
const kRetryMs = 5_000;
const kHeldMax = 5_000;

/** Users' names: loaded when first needed, many in one request, and again after each hello. */
export class Names {
  private readonly asked = new Set<string>();
  private readonly wanted = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private busy = false;

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
  ) {}

  /** Cheap enough to call on every render. */
  want(userId: string): void {
    if (this.asked.has(userId) || this.asked.size >= kHeldMax) return;
    this.asked.add(userId);
    this.wanted.add(userId);
    this.soon();
  }

  /** Marks all names as outdated after a gap in events. Held names stay visible until newer ones arrive. */
  markOld(): void {
    const { names } = this.store.get();
    const again = [...names.keys()].slice(-kAtOnce);
    if (names.size >= kHeldMax) this.store.update({ names: new Map() });
    const open = [...this.wanted];
    this.asked.clear();
    for (const userId of [...open, ...again]) this.want(userId);
    this.soon();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private soon(inMs = kGatherMs): void {
    if (this.timer !== null || this.wanted.size === 0) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.ask();
    }, inMs);
  }

  private async ask(): Promise<void> {
    if (this.busy) return;
    const userIds = [...this.wanted].slice(0, kAtOnce);
    for (const userId of userIds) this.wanted.delete(userId);
    this.busy = true;
    try {
      const { users } = (await this.request('user.get', { userIds })) as { users?: UserName[] };
      this.hold(users ?? []);
    } catch (error) {
      if (error instanceof ParleyError && error.transient) {
        for (const userId of userIds) this.wanted.add(userId);
        if (error.code !== 'DISCONNECTED') this.soon(kRetryMs); // otherwise the next hello retries
        return;
      }
    } finally {
      this.busy = false;
    }
    this.soon();
  }

  private hold(users: readonly UserName[]): void {
    const names = new Map(this.store.get().names);
    for (const user of users) names.set(user.userId, user);
    this.store.update({ names });
  }
}
