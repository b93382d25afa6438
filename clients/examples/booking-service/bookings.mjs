// A calendar in memory: one time per leg, and no two may overlap. Stores the outcome of every request by its
// effectId, so that a repeat is answered but not carried out again.

export class Bookings {
  #times = new Map(); // legId → {start, end}
  #done = new Map(); // effectId → outcome

  book(legId, start, end) {
    this.#times.set(legId, {start, end});
  }

  timeOf(legId) {
    return this.#times.get(legId) ?? null;
  }

  /** Returns 'ok', or 'conflict' if the time overlaps another booking. */
  move(effectId, legId, start, end) {
    const known = this.#done.get(effectId);
    if (known) return known;
    const clash = [...this.#times].some(([other, time]) => other !== legId && start < time.end && time.start < end);
    if (!clash) this.#times.set(legId, {start, end});
    const outcome = clash ? 'conflict' : 'ok';
    this.#done.set(effectId, outcome);
    return outcome;
  }

  /** How many requests were processed. */
  get handled() {
    return this.#done.size;
  }
}
