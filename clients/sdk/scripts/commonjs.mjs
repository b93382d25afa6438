// Marks dist/cjs as CommonJS, because the package itself is declared as ES modules.
import fs from 'node:fs';

fs.writeFileSync(new URL('../dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n');
