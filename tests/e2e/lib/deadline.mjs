// Waiting for something that must come. A deadline is not a timing assertion: it only turns "never" into a failure with
// a message, so it is far above what a loaded machine needs.

export const kDeadlineMs = Number(process.env.E2E_DEADLINE_MS ?? 30_000);

/** Resolves like `promise`, or rejects after `ms` saying what was awaited; `context()` adds what is known by then. */
export function within(promise, what, {ms = kDeadlineMs, context = () => ''} = {}) {
  let timer;
  const expired = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms} ms in vain for ${what} ${context()}`.trim())), ms);
  });
  return Promise.race([promise, expired]).finally(() => clearTimeout(timer));
}

/** A promise with its handles outside. Its rejection counts as handled even if nothing awaits it. */
export function deferred() {
  const out = {};
  out.promise = new Promise((resolve, reject) => Object.assign(out, {resolve, reject}));
  out.promise.catch(() => {});
  return out;
}

/** Asks `probe` again and again until it answers something truthy, which is returned. */
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
