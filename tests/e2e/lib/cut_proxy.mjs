// A TCP proxy in front of a server, which cuts connections on demand: for tests of clients that continue.
import net from 'node:net';
import {after, before} from 'node:test';

/** For a describe: `proxy.http` and `proxy.ws` are the server's addresses through the proxy. `target`: () => its port. */
export function withCutProxy(target) {
  const proxy = {http: '', ws: '', cuts: 0, left: Infinity, refuses: false};
  const sockets = new Set();
  const cut = () => {
    proxy.cuts += 1;
    proxy.left = Infinity;
    for (const socket of sockets) socket.destroy();
  };
  /** Cuts every connection once clients have sent this many bytes more. */
  proxy.cutAfter = (bytes) => {
    proxy.left = bytes;
  };
  const server = net.createServer((near) => {
    if (proxy.refuses) return near.destroy();
    const far = net.connect(target(), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    far.pipe(near);
    near.on('data', (bytes) => {
      proxy.left -= bytes.length;
      if (proxy.left <= 0) return cut();
      if (!far.write(bytes)) {
        near.pause();
        far.once('drain', () => near.resume());
      }
    });
  });
  before(async () => {
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy.http = `http://127.0.0.1:${server.address().port}`;
    proxy.ws = `ws://127.0.0.1:${server.address().port}/v1/ws`;
  });
  after(() => {
    cut();
    server.close();
  });
  return proxy;
}
