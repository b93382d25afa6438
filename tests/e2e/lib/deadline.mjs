// Waiting with a deadline, which is not a timing assertion: it only turns "never" into a failure with a message, so it is far
// longer than a loaded machine needs.

export const kDeadlineMs = Number(process.env.E2E_DEADLINE_MS ?? 30_000);

/** Resolves like `promise`, or rejects after `ms` with the awaited event; `context()` adds the state at that time. */
export function within(promise, what, {ms = kDeadlineMs, context = () => ''} = {}) {
  let timer;
  const expired = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms} ms in vain for ${what} ${context()}`.trim())), ms);
  });
  return Promise.race([promise, expired]).finally(() => clearTimeout(timer));
}

/** A promise with its resolve and reject. Its rejection counts as handled even without an awaiter. */
export function deferred() {
  const out = {};
  out.promise = new Promise((resolve, reject) => Object.assign(out, {resolve, reject}));
  out.promise.catch(() => {});
  return out;
}

/** Calls `probe` repeatedly until it returns something truthy, which is returned. */
export async function eventually(probe, what, {ms = kDeadlineMs, everyMs = 25} = {}) {
  const end = Date.now() + ms;
  let last;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`${what} did not come about in ${ms} ms; last answer: ${last}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
