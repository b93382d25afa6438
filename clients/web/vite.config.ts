import { defaultClientConditions, defineConfig } from 'vite';

// `parley-source` makes the SDK's sources resolve directly, so neither the build nor the tests depend on its compiled form.
export default defineConfig({
  base: '/',
  resolve: { conditions: ['parley-source', ...defaultClientConditions] },
  esbuild: { jsx: 'automatic' },
  build: {
    outDir: 'dist',
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Third-party code changes rarely, so browsers can keep it cached when only our own code is new.
    rollupOptions: { output: { manualChunks: (id) => (id.includes('/node_modules/') ? 'vendor' : undefined) } },
  },
  server: { proxy: { '/v1': { target: 'http://127.0.0.1:8080', ws: true } } },
});
