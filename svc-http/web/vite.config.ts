import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compileAhead } from './scripts/compile-ahead.mjs';
import { compressedFiles } from './scripts/compressed.mjs';
import { plainIcons } from './scripts/plain-icons.mjs';
import { serviceWorker } from './scripts/service-worker.mjs';
import { start } from './scripts/start.mjs';

const server = process.env['SVC_SERVER'] ?? 'http://127.0.0.1:8080';
const serverPaths = [
  '/api',
  '/auth',
  '/device',
  '/healthz',
  '/join',
  '/login',
  '/mcp',
  '/metrics',
  '/oauth',
  '/openapi.json',
  '/pages',
  '/readyz',
  '/reset',
];

/** The host stays as the browser sent it: the hub takes changes only from pages of its own address. */
const proxy = Object.fromEntries(serverPaths.map((path) => [path, { target: server, changeOrigin: false }]));

/** Svelte, and the helpers that the bundler adds. */
const RUNTIME = /node_modules[\\/]svelte[\\/]|rolldown[\\/]runtime|vite[\\/]preload-helper/;
/** Everything that the program begins with, apart from its first file. */
const OURS = /src[\\/](lib|routes)[\\/]|@lucide|openapi-fetch/;
/** Small parts of many pages. */
const SHARED =
  /src[\\/]lib[\\/](api|app|channels|code|home|hub|json|markdown|shell|time|ui)[\\/](?!render\.ts)|@lucide/;

/** The policy of the server, so that what it forbids fails here too. */
const contentPolicy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'";

export default defineConfig({
  plugins: [plainIcons(), svelte(), compileAhead(), start(), serviceWorker(), compressedFiles()],
  resolve: {
    // A large part of what the Markdown library weighs is a table that every browser has.
    alias: [
      {
        find: /^entities$/,
        replacement: fileURLToPath(new URL('src/lib/markdown/entities.ts', import.meta.url)),
      },
    ],
    // Vitest runs in Node, where Svelte would otherwise resolve to its server build without live state.
    ...(process.env['VITEST'] ? { conditions: ['browser'] } : {}),
  },
  // The list of emoji is that of the server.
  server: { proxy, fs: { allow: ['.', '../../svc-model/src/emoji'] } },
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
    rolldownOptions: {
      output: {
        // What several pages share comes in few files: each one is a request before the first message is seen.
        codeSplitting: {
          groups: [
            { name: 'svelte', test: RUNTIME, priority: 4 },
            { name: 'program', test: OURS, tags: ['$initial'], priority: 3 },
            { name: 'shared', test: SHARED, minShareCount: 2, priority: 2 },
            {
              name: 'messages',
              test: /src[\\/]lib[\\/](messages|composer)[\\/]/,
              minShareCount: 2,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Times are shown as they are where the reader is.
    env: { TZ: 'UTC' },
  },
});
