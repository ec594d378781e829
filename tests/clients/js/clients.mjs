/** The official clients for TypeScript behind one face: each generation, over HTTP and through pipes. */

import * as second from '@modelcontextprotocol/client';
import { StdioClientTransport as SecondPipe } from '@modelcontextprotocol/client/stdio';
import { Client as First } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstPipe } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstWire } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { origin } from './hub.mjs';

const about = { name: 'journeys', version: '1.0.0' };
const { Client: Second, StreamableHTTPClientTransport: SecondWire } = second;

/**
 * @typedef {{ token: string, path?: string } | { command: string, args: string[], env: Record<string, string> }} Way
 * @typedef {{ name: string, revision: string, connect: (way: Way) => Promise<any>, watch: Watch }} Kind
 * @typedef {(client: any, uri: string, told: (uri: string) => void) => Promise<() => Promise<unknown>>} Watch
 */

/**
 * A transport for a way.
 * @param {Way} way @param {any} Wire @param {any} Pipe
 */
function transport(way, Wire, Pipe) {
  if ('command' in way) return new Pipe({ ...way, stderr: 'inherit' });
  const headers = { authorization: `Bearer ${way.token}` };
  return new Wire(new URL(way.path ?? '/mcp', origin), { requestInit: { headers } });
}

/** @type {Watch} */
const subscribe = async (client, uri, told) => {
  const heard = ({ params }) => told(params.uri);
  if (client instanceof First) client.setNotificationHandler(ResourceUpdatedNotificationSchema, heard);
  else client.setNotificationHandler('notifications/resources/updated', heard);
  await client.subscribeResource({ uri });
  return () => client.unsubscribeResource({ uri });
};

/** @type {Watch} */
const listen = async (client, uri, told) => {
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => told(params.uri));
  const stream = await client.listen({ resourceSubscriptions: [uri] });
  return () => stream.close();
};

/** @param {'legacy' | 'auto'} mode */
const connectSecond = (mode) => async (/** @type {Way} */ way) => {
  const client = new Second(about, { versionNegotiation: { mode } });
  await client.connect(transport(way, SecondWire, SecondPipe));
  return client;
};

/** @type {Kind[]} */
export const kinds = [
  {
    name: '@modelcontextprotocol/sdk 1.x',
    revision: '2025-11-25',
    watch: subscribe,
    async connect(way) {
      const client = new First(about);
      await client.connect(transport(way, FirstWire, FirstPipe));
      return client;
    },
  },
  {
    name: '@modelcontextprotocol/client 2.x, older revision',
    revision: '2025-11-25',
    watch: subscribe,
    connect: connectSecond('legacy'),
  },
  {
    name: '@modelcontextprotocol/client 2.x',
    revision: '2026-07-28',
    watch: listen,
    connect: connectSecond('auto'),
  },
];
