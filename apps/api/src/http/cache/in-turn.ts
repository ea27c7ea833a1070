import { setImmediate } from 'node:timers/promises';

/** Bodies of more bytes take turns. The kernel takes megabytes in one call, which blocks the event loop meanwhile. */
const LARGE_BODY = 262_144;

/** Returns a body when it may be sent. */
export type InTurn = (body: Buffer) => Promise<Buffer>;

/** Creates the turns of large bodies: one in each turn of the event loop, so that others are served between. */
export function createTurns(): InTurn {
  let last: Promise<void> = Promise.resolve();
  return async (body) => {
    if (body.length <= LARGE_BODY) return body;
    last = last.then(() => setImmediate());
    await last;
    return body;
  };
}
