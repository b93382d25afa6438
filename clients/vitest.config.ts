import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['parley-source', 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['parley-source', 'module', 'node', 'development|production'] } },
  esbuild: { jsx: 'automatic' },
  test: { include: ['{sdk,shared,web,console}/test/**/*.test.{ts,tsx}'], environment: 'node', setupFiles: ['sdk/test/setup.mjs'], testTimeout: 60_000 },
});
