// Follows the effect feed and carries out its requests on bookings.
import {pathToFileURL} from 'node:url';
import {Bookings} from './bookings.mjs';

/** Calls POST /v1/ops/{op} with the tenant's key. Returns the ok map, or throws an Error with the server's code. */
async function ask(url, key, op, args) {
  const response = await fetch(`${url}/v1/ops/${op}`, {
    method: 'POST',
    headers: {'content-type': 'application/json', authorization: `Bearer ${key}`},
    body: JSON.stringify(args),
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error.message), {code: answer.error.code});
  return answer;
}

/** The new time of a reschedule, in either form of its payload. */
function newTime(payload) {
  return payload.proposed ?? {start: payload.newStart, end: payload.newEnd};
}

function carryOut(bookings, item) {
  if (item.effect !== 'booking.reschedule') return {outcome: 'failed', error: {code: 'UNKNOWN_EFFECT', message: item.effect}};
  const {start, end} = newTime(item.payload);
  const outcome = bookings.move(item.effectId, item.legId ?? item.threadId, start, end);
  if (outcome === 'ok') return {outcome};
  return {outcome, error: {code: 'SLOT_TAKEN', message: 'another booking lies there'}};
}

/** Reads the feed once, carries out and answers everything in it. Returns the number of items. */
export async function workOnce({url, key, bookings}) {
  let cursor = null;
  let count = 0;
  do {
    const page = await ask(url, key, 'outbox.list', cursor ? {cursor} : {});
    for (const item of page.items) {
      count += 1;
      if (!item.awaits) {
        await ask(url, key, 'outbox.ack', {threadId: item.threadId, effectIds: [item.effectId]});
        continue;
      }
      const {threadId, messageId, effectId} = item;
      const result = carryOut(bookings, item);
      await ask(url, key, 'card.resolve', {threadId, messageId, effectId, ...result, clientId: `r-${effectId}`});
    }
    cursor = page.cursor;
  } while (cursor);
  return count;
}

/** Polls the feed until `signal` aborts. */
export async function follow({url, key, bookings, signal, everyMs = 500}) {
  while (!signal.aborted) {
    await workOnce({url, key, bookings}).catch((error) => console.error(`booking-service: ${error.message}`));
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, everyMs);
      signal.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, {once: true});
    });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {PARLEY_URL: url = 'http://127.0.0.1:8080', PARLEY_KEY: key} = process.env;
  if (!key) {
    console.error('booking-service: PARLEY_KEY must hold the tenant\'s key');
    process.exit(2);
  }
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => stop.abort());
  await follow({url, key, bookings: new Bookings(), signal: stop.signal});
}
