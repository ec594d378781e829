import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const server = 'http://127.0.0.1:8080';
const serverPaths = [
  '/api',
  '/auth',
  '/device',
  '/healthz',
  '/login',
  '/metrics',
  '/oauth',
  '/openapi.json',
  '/pages',
  '/readyz',
];

export default defineConfig({
  plugins: [svelte()],
  // Vitest runs in Node, where Svelte would otherwise resolve to its server build without live state.
  ...(process.env['VITEST'] ? { resolve: { conditions: ['browser'] } } : {}),
  server: {
    proxy: Object.fromEntries(serverPaths.map((path) => [path, server])),
  },
  build: {
    // These are the first versions with `light-dark()`, on which both themes are built.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // The content security policy allows no data: address for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
  },
  test: {
    include: ['src/**/*.test.ts'],
  },
});
