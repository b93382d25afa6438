// What scripts/session runs: one demo user's WebSocket on the terminal.
import readline from 'node:readline';
import WebSocket from 'ws';

const [user, url] = process.argv.slice(2);
const answer = await fetch(`${url}/v1/demo/token`, { method: 'POST', body: JSON.stringify({ userId: user }) }).catch(() => null);
if (!answer?.ok) {
  console.error(`no demo server at ${url}: start one with scripts/serve`);
  process.exit(1);
}
const { token } = await answer.json();
const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/ws`, 'parley.v1.json');
socket.on('message', (data) => console.log(data.toString()));
socket.on('close', (code, reason) => {
  console.error(`closed: ${code} ${reason}`);
  process.exit(code === 1000 ? 0 : 1);
});
socket.on('open', () => {
  socket.send(JSON.stringify({ id: 1, op: 'session.hello', args: { token } }));
  const lines = readline.createInterface({ input: process.stdin });
  lines.on('line', (line) => line.trim() && socket.send(line));
  lines.on('close', () => socket.close(1000));
});
