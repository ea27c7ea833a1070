import { setImmediate } from 'node:timers/promises';

/** Bodies of more bytes take turns. The kernel takes megabytes in one call, which blocks the event loop meanwhile. */
const LARGE_BODY = 262_144;

/** The turn of the last large body; all connections of the process share its event loop. */
let last: Promise<void> = Promise.resolve();

/** Returns a body when it may be sent: one large body in each turn of the event loop, so that others are served between. */
export async function inTurn(body: Buffer): Promise<Buffer> {
  if (body.length <= LARGE_BODY) return body;
  last = last.then(() => setImmediate());
  await last;
  return body;
}
