// The real parleyd as a child process with its own data directory: start, wait until it listens, kill -9, SIGTERM, start again on
// the same directory and port. Every child dies with the test process (pdeathsig and exit hook).
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {deferred, within} from './deadline.mjs';
import {removeDir, tempDir} from './temp.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const build = path.resolve(here, '../../../build/release');

export const kParleyd = path.resolve(process.env.PARLEYD ?? path.join(build, 'bin/parleyd'));
export const kParleyctl = path.resolve(process.env.PARLEYCTL ?? path.join(path.dirname(kParleyd), 'parleyctl'));

const kLogTail = 64 * 1024;
const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** One run of a program: its output so far, `exited` with {code, signal}. */
export class Child {
  constructor(command, args, {env = {}} = {}) {
    // exec'd by setpriv, so the pid is the program's own, and it dies with the test process.
    this.process = spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args],
                         {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, ...env}});
    this.stdout = '';
    this.stderr = '';
    this.firstLine = deferred();
    this.exited = new Promise((resolve) => {
      this.process.on('close', (code, signal) => {
        children.delete(this.process);
        resolve({code, signal});
      });
      this.process.on('error', (error) => {
        this.stderr += `\n${error}`;
        resolve({code: null, signal: null});
      });
    });
    children.add(this.process);
    // A child left by a failed test must not keep the test process alive; the exit hook kills it.
    for (const handle of [this.process, this.process.stdout, this.process.stderr]) handle.unref();
    this.process.stdout.setEncoding('utf8').on('data', (text) => {
      this.stdout = (this.stdout + text).slice(-kLogTail);
      const line = /^listening on (\S+):(\d+)$/m.exec(this.stdout);
      if (line) this.firstLine.resolve({host: line[1], port: Number(line[2])});
    });
    this.process.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr = (this.stderr + text).slice(-kLogTail);
    });
  }

  kill(signal) {
    this.process.kill(signal);
    return this.exited;
  }

  tail() {
    return `--- stdout\n${this.stdout.slice(-4000)}\n--- stderr\n${this.stderr.slice(-8000)}`;
  }
}

export class Server {
  /** options: dir, port, args (more flags), demo (false: no demo tenant), env, wrap (a command line put in front of the binary). */
  constructor(options = {}) {
    this.options = options;
    this.dir = options.dir ?? tempDir();
    this.port = options.port ?? 0;
    this.child = null;
  }

  static async start(options) {
    const server = new Server(options);
    await server.launch();
    return server;
  }

  command() {
    const demo = this.options.demo === false ? [] : ['--demo'];
    const args = ['--data', this.dir, '--listen', `127.0.0.1:${this.port}`, ...demo, ...(this.options.args ?? [])];
    return [...(this.options.wrap ?? []), kParleyd, ...args];
  }

  /** Starts the binary; resolves once it listens. */
  async launch() {
    if (!fs.existsSync(kParleyd)) throw new Error(`there is no server at ${kParleyd}; build it or set PARLEYD`);
    const [program, ...args] = this.command();
    const child = this.child = new Child(program, args, {env: this.options.env});
    const died = child.exited.then(({code, signal}) => {
      throw new Error(`parleyd ended before it listened (code ${code}, signal ${signal})\n${child.tail()}`);
    });
    died.catch(() => {});
    const {port} = await within(Promise.race([child.firstLine.promise, died]), 'the server to listen',
                                {ms: 60_000, context: () => child.tail()});
    this.port = port;
    return this;
  }

  get http() {
    return `http://127.0.0.1:${this.port}`;
  }

  get ws() {
    return `ws://127.0.0.1:${this.port}/v1/ws`;
  }

  get running() {
    return this.child !== null && this.child.process.exitCode === null && this.child.process.signalCode === null;
  }

  async kill9() {
    return within(this.child.kill('SIGKILL'), 'the killed server to be gone');
  }

  /** SIGTERM; resolves with {code, signal}. */
  async terminate() {
    return within(this.child.kill('SIGTERM'), 'the server to exit on SIGTERM', {context: () => this.child.tail()});
  }

  async restart() {
    if (this.running) await this.kill9();
    return this.launch();
  }

  /** Ends the process and removes the directory. */
  async dispose() {
    if (this.running) await this.kill9();
    removeDir(this.dir);
  }
}
