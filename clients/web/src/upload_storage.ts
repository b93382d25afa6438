import type { KeptUpload, UploadStorage } from '@parley/sdk';
import type { TextStorage } from './kept_by_thread.js';

const kKeptMs = 7 * 86_400_000; // the server forgets an upload by then

/** Keeps incomplete uploads of one user in the browser, for all of their tabs. */
export class StoredUploads implements UploadStorage {
  private readonly prefix: string;

  constructor(
    writer: string,
    private readonly storage: TextStorage,
    private readonly now: () => number = Date.now,
  ) {
    this.prefix = `parley.upload.${writer} `; // no id has a blank
    this.sweep();
  }

  load = (key: string): unknown => this.read(this.prefix + key);

  save = (key: string, upload: KeptUpload | null): void => {
    if (upload === null) this.storage.removeItem(this.prefix + key);
    else this.storage.setItem(this.prefix + key, JSON.stringify({ ...upload, at: this.now() }));
  };

  private read(key: string): { at?: unknown } | null {
    try {
      return JSON.parse(this.storage.getItem(key) ?? 'null') as { at?: unknown } | null;
    } catch {
      return null;
    }
  }

  private sweep(): void {
    try {
      const keys = Array.from({ length: this.storage.length }, (_, i) => this.storage.key(i));
      for (const key of keys) {
        if (key?.startsWith(this.prefix) !== true) continue;
        const at = this.read(key)?.at;
        if (typeof at !== 'number' || at < this.now() - kKeptMs) this.storage.removeItem(key);
      }
    } catch {
      return; // the storage is forbidden
    }
  }
}
