import send from '@fastify/send';
import type { FastifyInstance } from 'fastify';
import type { ChangeStore } from '../../changes/change-log.ts';
import { DUMP_FILE, findDump, timeToNextDump } from '../../dump/dump.ts';
import { inTime } from '../../database-error.ts';
import { RefusalError } from '../../http-error.ts';
import { RegistryError } from '../../registry-error.ts';
import { REVALIDATE } from '../cache/send-entry.ts';

export const DUMP_PATH = `/${DUMP_FILE}`;

/** Why the library sends no file. */
const refusals: Record<number, string> = {
  412: 'The dump is none of those in If-Match',
  416: 'The dump has no such range',
};

/**
 * Serves the dump for mirrors, whole or in ranges, while all of its agents are listed.
 * @param folder undefined without a dump
 */
export function registerDump(
  app: FastifyInstance,
  { folder, changes }: { folder: string | undefined; changes: ChangeStore },
): void {
  app.get(DUMP_PATH, async (request, reply) => {
    if (folder === undefined) {
      throw new RegistryError('not-found', 'This registry makes no dump. /api/changes has all agents');
    }
    const dump = await inTime(findDump(folder, changes), request.deadline);
    if (!dump.isCurrent) {
      const wait = String(Math.ceil(timeToNextDump(dump) / 1_000));
      throw new RegistryError(
        'not-found',
        'There is no dump now: one is made each night, and ends when an agent leaves the list. /api/changes has all agents',
        { headers: { 'Retry-After': wait } },
      );
    }
    const {
      statusCode: status,
      headers,
      stream,
      type,
    } = await send(request.raw, DUMP_FILE, {
      root: folder,
      cacheControl: false,
    });
    if (type === 'error') {
      const range = headers['Content-Range'];
      const detail = refusals[status] ?? 'The dump cannot be read';
      throw new RefusalError({ status, detail, ...(range && { headers: { 'Content-Range': range } }) });
    }
    return reply
      .code(status)
      .headers({ ...headers, 'cache-control': REVALIDATE })
      .send(stream);
  });
}
