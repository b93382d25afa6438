import { defaultClientConditions, defineConfig } from 'vite';

// Builds into the web client's folder, which the server serves: the console is its `/console`. So build the web
// client first.
export default defineConfig({
  base: '/console/',
  resolve: { conditions: ['parley-source', ...defaultClientConditions] },
  esbuild: { jsx: 'automatic' },
  build: {
    outDir: '../web/dist/console',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rollupOptions: { output: { manualChunks: (id) => (id.includes('/node_modules/') ? 'vendor' : undefined) } },
  },
  server: { proxy: { '/v1': { target: 'http://127.0.0.1:8080', ws: true } } },
});
