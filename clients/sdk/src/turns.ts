/** Limits how many tasks run at a time; the others wait in order of arrival. */
export class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(max: number) {
    this.free = max;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
