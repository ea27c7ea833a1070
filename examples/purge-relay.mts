// Turns the events of a registry's PURGE_URL into purges of a CDN by tags: PURGE_API and PURGE_TOKEN, such as
// https://api.cloudflare.com/client/v4/zones/ID/purge_cache. WEBHOOK_SECRET is that of the registry.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET = '', PURGE_API = '', PURGE_TOKEN = '', PORT = '8788' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);

/** Whether the CDN has purged; if not, the registry sends the event again. */
async function purge(tags: string[]): Promise<boolean> {
  const { ok } = await fetch(PURGE_API, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${PURGE_TOKEN}` },
    body: JSON.stringify({ tags }),
  });
  return ok;
}

const server = createServer(async (request, response) => {
  const headers = request.headers as Record<string, string>;
  try {
    webhook.verify(await text(request), headers);
  } catch {
    return response.writeHead(400).end();
  }
  const isPurged = await purge(headers['cache-tag']?.split(',') ?? []).catch(() => false);
  return response.writeHead(isPurged ? 204 : 502).end();
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`PURGE_URL=http://127.0.0.1:${PORT}/`));
