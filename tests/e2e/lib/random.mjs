// Seeded randomness: one number replays a run (as far as the scheduler lets it). E2E_SEED sets it.

export function randomSeed() {
  const seed = Number(process.env.E2E_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`# seed ${seed} (E2E_SEED=${seed} runs it again)`);
  return seed;
}

/** mulberry32 */
export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  unit() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer in [low, high]. */
  int(low, high) {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  chance(p) {
    return this.unit() < p;
  }

  pick(list) {
    return list[this.int(0, list.length - 1)];
  }

  text(length) {
    let out = '';
    while (out.length < length) out += `${this.int(0, 1e9).toString(36)} `;
    return out.slice(0, length).trim() || 'x';
  }

  bytes(length) {
    return Buffer.from(Array.from({length}, () => this.int(0, 255)));
  }
}
