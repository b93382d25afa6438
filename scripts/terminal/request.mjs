// Checks a typed line before it is sent: the server closes a session that sends frames without an op or with a bad id.
const kMaxId = 2 ** 32 - 1;

/**
 * Returns the fault of a line as one sentence, or null if it can be sent. `outstanding` has the ids of unanswered
 * requests, `maxBytes` is the server's limit for a frame.
 */
export function fault(line, outstanding, maxBytes) {
  let request;
  try {
    request = JSON.parse(line);
  } catch (error) {
    return `The line is not JSON: ${error.message}.`;
  }
  if (request === null || typeof request !== 'object' || Array.isArray(request)) return 'A request is a JSON object.';
  if (typeof request.op !== 'string') return 'A request needs an "op", such as {"id":2,"op":"session.ping","args":{}}.';
  if ('id' in request) {
    const {id} = request;
    if (!Number.isInteger(id) || id < 0 || id > kMaxId) return `An "id" is an integer from 0 to ${kMaxId}.`;
    if (outstanding.has(id)) return `Request ${id} is not answered yet; choose another "id".`;
  }
  const bytes = Buffer.byteLength(line);
  if (bytes > maxBytes) return `The line has ${bytes} bytes; the server takes ${maxBytes}.`;
  return null;
}
