// The content of a directory as one comparable text, to check that it did not change.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Every file below `dir`, as full paths. */
export function filesIn(dir) {
  return fs.readdirSync(dir, {withFileTypes: true}).flatMap((entry) => {
    const full = path.join(dir, entry.name);
    return entry.isDirectory() ? filesIn(full) : [full];
  });
}

export function digest(dir) {
  const lines = [];
  const walk = (at) => {
    for (const name of fs.readdirSync(at).sort()) {
      const full = path.join(at, name);
      const st = fs.lstatSync(full);
      if (st.isDirectory()) {
        lines.push(`${path.relative(dir, full)}/`);
        walk(full);
      } else {
        const hash = crypto.createHash('sha256').update(fs.readFileSync(full)).digest('hex');
        lines.push(`${path.relative(dir, full)} ${st.size} ${st.mtimeMs} ${hash}`);
      }
    }
  };
  walk(dir);
  return lines.join('\n');
}
