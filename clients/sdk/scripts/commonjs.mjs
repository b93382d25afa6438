// Says of dist/cjs that it is CommonJS, as the package itself is of modules.
import fs from 'node:fs';

fs.writeFileSync(new URL('../dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n');
