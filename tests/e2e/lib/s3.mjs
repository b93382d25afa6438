// s3rver, an S3 server that is not ours, as a child process with one bucket; it can be stopped and started again.
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {eventually, within} from './deadline.mjs';
import {Child} from './server.mjs';
import {tempDir} from './temp.mjs';

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), '../node_modules/s3rver/bin/s3rver.js');

/** The only key that s3rver knows. */
export const kS3Env = {AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER'};

/** Options of a server whose files are in the bucket that files_s3.test.mjs made, if that runs the test. */
export function bucketOptions() {
  return process.env.E2E_BUCKET ? {args: JSON.parse(process.env.E2E_BUCKET), env: kS3Env} : {};
}

const freePort = () => new Promise((resolve) => {
  const probe = net.createServer().listen(0, '127.0.0.1', () => {
    const {port} = probe.address();
    probe.close(() => resolve(port));
  });
});

/** A way to an S3 server on which requests can fail: `fail(request)` → the status of the answer instead, or undefined. */
export class FaultyWay {
  constructor(s3) {
    this.seen = [];  // "PUT /bucket/key?partNumber=1"
    this.fail = () => undefined;
    this.server = http.createServer((request, response) => {
      const line = `${request.method} ${request.url}`;
      this.seen.push(line);
      const status = this.fail(line);
      if (status !== undefined) {
        request.resume().on('end', () => response.writeHead(status).end('<Error><Code>Injected</Code></Error>'));
        return;
      }
      const onward = http.request(s3.endpoint + request.url, {method: request.method, headers: request.headers}, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
  }

  start() {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve).unref();
    });
  }

  get endpoint() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }
}

export class S3 {
  constructor(bucket) {
    this.bucket = bucket;
    this.dir = tempDir('s3');
  }

  async start() {
    this.port ??= await freePort();
    this.child = new Child(process.execPath, [program, '-d', this.dir, '-p', String(this.port), '-a', '127.0.0.1',
                                              '--no-vhost-buckets', '--configure-bucket', this.bucket]);
    await eventually(() => new Promise((resolve) => {
      const probe = net.connect(this.port, '127.0.0.1', () => resolve(probe.destroy()));
      probe.on('error', () => resolve(false));
    }), 'an S3 server');
  }

  stop() {
    return within(this.child.kill('SIGKILL'), 'the end of the S3 server');
  }

  get endpoint() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The options of parleyd and of `parleyctl verify --files`. */
  args(prefix = '', {endpoint} = this) {
    return ['--files-store', `s3://${this.bucket}${prefix && `/${prefix}`}`, '--files-s3-endpoint', endpoint, '--files-s3-path-style'];
  }

  /** The keys in the bucket. */
  keys() {
    const folder = path.join(this.dir, this.bucket);
    return fs.readdirSync(folder, {recursive: true}).filter((name) => name.endsWith('._S3rver_object'))
      .map((name) => name.slice(0, -'._S3rver_object'.length)).sort();
  }

  /** The lines of its log that match: "PUT /bucket/key?partNumber=1 200 …". */
  requests(pattern) {
    return this.child.stdout.split('\n').filter((line) => pattern.test(line));
  }
}
