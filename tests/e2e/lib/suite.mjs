// Shared by all test files: one server for the file, sessions that are closed after each test.
import {after, afterEach, before} from 'node:test';
import {Sessions} from './client.mjs';
import {demoToken, service} from './http.mjs';
import {Server} from './server.mjs';
import {checkStore} from './verify.mjs';
import {fresh} from './world.mjs';

/**
 * Call inside describe(). → a context whose `server` is up while its tests run; `defaults` go to every session.
 * If the tests of the describe run concurrently, `concurrent` keeps the sessions of all until the end.
 */
export function withServer(defaults = {}, {concurrent = false, ...serverOptions} = {}) {
  const context = {server: null, sessions: null};
  before(async () => {
    context.server = await Server.start(serverOptions);
    context.sessions = new Sessions(context.server, defaults);
  });
  if (!concurrent) afterEach(() => context.sessions?.closeAll());
  after(async () => {
    try {
      await context.sessions?.closeAll();
      if (context.server?.running) await checkStore(context.server);
    } finally {
      await context.server?.dispose();
    }
  });
  context.as = (userId, options) => context.sessions.as(userId, options);
  context.open = (options) => context.sessions.open(options);
  context.token = (userId, options) => demoToken(context.server, userId, options);
  context.service = () => service(context.server);
  context.staff = (options) => context.sessions.as(fresh('staff'), {role: 'moderator', ...options});
  return context;
}
