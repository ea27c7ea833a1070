// Checks the events of a registry's webhook and passes each on: to a chat room (CHAT_URL, an incoming webhook that takes
// {"text": …}) or as a mail (MAIL_TO, with the machine's sendmail). WEBHOOK_SECRET is that of the registry.
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET = '', CHAT_URL, MAIL_TO, PORT = '8787' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);

type Event = { type: string; data: { url?: string } };

/** Whether the event has arrived; if not, the registry sends it again. */
async function passOn({ type, data: { url = '' } }: Event): Promise<boolean> {
  if (CHAT_URL === undefined) {
    const input = `To: ${MAIL_TO}\nSubject: Registry: ${type}\n\n${url}\n`;
    return spawnSync('sendmail', ['-t'], { input }).status === 0;
  }
  const response = await fetch(CHAT_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: `${type} ${url}` }),
  });
  return response.ok;
}

const server = createServer(async (request, response) => {
  let event: Event;
  try {
    const headers = request.headers as Record<string, string>;
    event = webhook.verify(await text(request), headers) as Event;
  } catch {
    return response.writeHead(400).end();
  }
  const isPassedOn = await passOn(event).catch(() => false);
  return response.writeHead(isPassedOn ? 204 : 502).end();
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`WEBHOOK_URL=http://127.0.0.1:${PORT}/`));
