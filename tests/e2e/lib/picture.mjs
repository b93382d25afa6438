// Pictures for tests: real PNG files, without a library.
import zlib from 'node:zlib';

function chunk(type, bytes) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), bytes]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(bytes.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(zlib.crc32 === undefined ? crc32(body) : zlib.crc32(body), body.length + 4);
  return out;
}

// Node 18 has no zlib.crc32.
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A PNG whose pixel at x, y has the colour `[r, g, b] = colourAt(x, y)`; `level` 0: not compressed. */
export function png(width, height, colourAt, level = 6) {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0, at = 0; y < height; ++y) {
    rows[at++] = 0;
    for (let x = 0; x < width; ++x) for (const part of colourAt(x, y)) rows[at++] = part;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head), chunk('IDAT', zlib.deflateSync(rows, {level})), chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A sunset over the sea: something to recognise in a screenshot. `tint` makes pictures that differ. */
export function sunset(width, height, tint = 0, level = 6) {
  const radius = height / 5;
  return png(width, height, (x, y) => {
    const sun = Math.hypot(x - width / 2, y - height * 0.45) < radius;
    if (y > height * 0.6) return [20 + tint, 60 + ((x ^ y) & 31), 110 + ((y * 3) & 31)];
    if (sun) return [255, 220, 90 + tint];
    return [230 - (y * 90) / height, 120 - (y * 60) / height + tint / 2, 90 + (y * 60) / height];
  }, level);
}
