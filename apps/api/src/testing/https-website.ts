import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { createGuardedFetch, type GuardedFetch } from '../website-check/guarded-fetch.ts';
import { certificate, certificateKey } from './tls-certificate.ts';

/** A website on the loopback address, and the guarded fetch that reaches it by any name. */
export type HttpsWebsite = { server: Server; fetch: GuardedFetch; close: () => void };

/** Starts an HTTPS server for website.example and other.example. */
export async function startHttpsWebsite(
  listener: RequestListener,
  {
    lookup = (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    isAllowed = true,
  }: { lookup?: LookupFunction; isAllowed?: boolean } = {},
): Promise<HttpsWebsite> {
  const server = createServer({ cert: certificate, key: certificateKey }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const allowedAddresses = isAllowed ? ['127.0.0.1'] : [];
  return {
    server,
    fetch: createGuardedFetch({ lookup, allowedAddresses, port, ca: certificate }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
