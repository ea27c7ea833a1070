import { z } from 'zod';

/** The URL of a database: a SQLite file, or PostgreSQL on one host. */
export const databaseUrlSchema = z
  .string()
  .regex(/^(file:|postgres(ql)?:\/\/)./, {
    error:
      'must name a SQLite file, such as file:data/registry.db, or a PostgreSQL database, such as postgres://user:password@host/registry',
    abort: true,
  })
  .refine((url) => !hasSeveralHosts(url), {
    error: 'must name one host: the driver connects to no other. Put a proxy or a name that moves in front of several',
    abort: true,
  })
  .refine(
    (url) => url.startsWith('file:') || !/[?&]channel_binding=/.test(url),
    'must not have channel_binding, which the driver ignores: sslmode=verify-full checks the server',
  );

/** Whether the URL of a PostgreSQL database names several hosts, as libpq takes them. */
function hasSeveralHosts(url: string): boolean {
  const [address = '', query = ''] = url.split('?');
  const [, hosts = ''] = /^postgres(?:ql)?:\/\/(?:[^/]*@)?([^/]*)/.exec(address) ?? [];
  const names = new URLSearchParams(query).getAll('host');
  return hosts.includes(',') || names.length > 1 || names.some((name) => name.includes(','));
}
