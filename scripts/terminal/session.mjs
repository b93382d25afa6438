// Runs one demo user's WebSocket on the terminal; scripts/session starts it.
import readline from 'node:readline';
import WebSocket from 'ws';
import {fault} from './request.mjs';

const kHello = 1;

const [user, url] = process.argv.slice(2);

async function demoToken() {
  const answer = await fetch(`${url}/v1/demo/token`, {
    method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({userId: user}),
  }).catch(() => null);
  if (answer?.ok) return (await answer.json()).token;
  const refused = await answer?.json().catch(() => null);
  console.error(refused?.error?.hint && answer.status !== 404 ? refused.error.hint
    : `There is no demo server at ${url}. Start one with scripts/serve.`);
  return process.exit(1);
}

const token = await demoToken();
const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/ws`, 'parley.v1.json');
const outstanding = new Set([kHello]);
let maxBytes = Infinity;  // until the hello's reply names the limit

socket.on('message', (data) => {
  const text = data.toString();
  console.log(text);
  const frame = JSON.parse(text);
  if (frame.id === undefined) return;
  outstanding.delete(frame.id);
  if (frame.id === kHello && frame.ok) maxBytes = frame.ok.limits.maxFrameBytes;
});
socket.on('error', (error) => console.error(`The connection failed: ${error.message}`));
socket.on('close', (code, reason) => {
  console.error(`closed: ${code} ${reason}`);
  process.exit(code === 1000 ? 0 : 1);
});
socket.on('open', () => {
  socket.send(JSON.stringify({id: kHello, op: 'session.hello', args: {token}}));
  const lines = readline.createInterface({input: process.stdin});
  lines.on('line', (line) => {
    if (!line.trim()) return;
    const wrong = fault(line, outstanding, maxBytes);
    if (wrong) {
      console.error(`not sent: ${wrong}`);
      return;
    }
    const {id} = JSON.parse(line);
    if (id !== undefined) outstanding.add(id);
    socket.send(line);
  });
  lines.on('close', () => socket.close(1000));
});
