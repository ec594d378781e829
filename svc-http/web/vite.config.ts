import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { serviceWorker } from './scripts/service-worker.mjs';

const server = process.env['SVC_SERVER'] ?? 'http://127.0.0.1:8080';
const serverPaths = [
  '/api',
  '/auth',
  '/device',
  '/healthz',
  '/login',
  '/mcp',
  '/metrics',
  '/oauth',
  '/openapi.json',
  '/pages',
  '/readyz',
];

/** The host stays as the browser sent it: the hub takes changes only from pages of its own address. */
const proxy = Object.fromEntries(serverPaths.map((path) => [path, { target: server, changeOrigin: false }]));

/** The policy of the server, so that what it forbids fails here too. */
const contentPolicy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'";

export default defineConfig({
  plugins: [svelte(), serviceWorker()],
  // Vitest runs in Node, where Svelte would otherwise resolve to its server build without live state.
  ...(process.env['VITEST'] ? { resolve: { conditions: ['browser'] } } : {}),
  server: { proxy },
  preview: { proxy, headers: { 'content-security-policy': contentPolicy } },
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
