import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isIP } from 'node:net';
import { parseEnv } from 'node:util';
import { editableFields, reviewedFields, type EditableField } from '@agent-registry/contracts';
import { z } from 'zod';

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, { error: message, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** A port of the loopback address, or an address with a port. */
const metricsAddress = z
  .string()
  .transform((setting) => /^(?:(\[[\da-f:.]+\]|[^:[\]]+):)?(\d{1,5})$/i.exec(setting))
  .refine((parts) => parts !== null && Number(parts[2]) <= 65_535, {
    error: 'must be a port from 0 to 65535, or an address with one, such as 0.0.0.0:9464',
    abort: true,
  })
  .transform((parts) => ({
    host: (parts?.[1] ?? '127.0.0.1').replaceAll(/^\[|\]$/g, ''),
    port: Number(parts?.[2]),
  }));

/** A secret of Standard Webhooks: 24 to 64 bytes. */
const WEBHOOK_SECRET = /^whsec_(?=[^=]{32,86}=*$)(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** Trusted proxies: their number, or their addresses, networks and named ranges; undefined for none. */
export type TrustProxy = number | string[] | undefined;

const NAMED_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxy(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return NAMED_RANGES.has(entry);
  const maxBits = family === 4 ? 32 : 128;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= maxBits);
}

/** The unit of CACHE_SIZE, in bytes. */
export const MEBIBYTE = 2 ** 20;
/** The greatest rate limit, so that counters in the database do not overflow. */
const MAX_LIMIT = 1_000_000;

/** The URL of a database: a SQLite file, or PostgreSQL on one host. */
const databaseUrlSchema = z
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

const settingsSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  DATABASE_URL: databaseUrlSchema.default('file:data/registry.db'),
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000).default(10),
  DATABASE_STATEMENT_TIMEOUT: wholeNumber(1, 3_600_000).default(5_000),
  SAMPLE_DATA: z.enum(['on', 'off'], 'must be on or off').optional(),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info'),
  CACHE_SIZE: wholeNumber(0, 65_536).default(64),
  SHARED_CACHE_SECONDS: wholeNumber(0, 3_600).default(0),
  METRICS_PORT: metricsAddress.optional(),
  SHUTDOWN_DELAY: wholeNumber(0, 3_600_000).default(500),
  REGISTRATION: z.enum(['open', 'held', 'closed'], 'must be open, held or closed').default('open'),
  HELD_EDITS_EXCEPT: z
    .string()
    .transform((setting) => setting.split(',').map((entry) => entry.trim() as EditableField))
    .refine(
      (fields) => fields.every((field) => editableFields.includes(field)),
      `must be a list of fields: ${editableFields.join(', ')}`,
    )
    .refine(
      (fields) => fields.every((field) => !reviewedFields.includes(field)),
      `must not have ${reviewedFields.join(', ')}, which are always reviewed`,
    )
    .default([]),
  REGISTER_LIMIT: wholeNumber(0, MAX_LIMIT).default(60),
  REGISTER_LIMIT_GLOBAL: wholeNumber(0, MAX_LIMIT).default(600),
  READ_LIMIT: wholeNumber(0, MAX_LIMIT).default(600),
  PUBLIC_CONTACT: z.enum(['everywhere', 'page'], 'must be everywhere or page').default('everywhere'),
  WEBSITE_CHECKS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  CONNECTION_CHECKS: z.enum(['on', 'off'], 'must be on or off').default('off'),
  TRUST_PROXY: z
    .string()
    .transform((setting) => (/^\d+$/.test(setting) ? Number(setting) : setting.split(',').map((entry) => entry.trim())))
    .refine(
      (proxies) => typeof proxies === 'number' || proxies.every(isProxy),
      'must be a number of proxies, or a list of addresses and networks such as 127.0.0.1, 10.0.0.0/8',
    )
    .transform((proxies): TrustProxy => proxies || undefined)
    .optional(),
  CORS_ORIGINS: z
    .string()
    .transform((setting) => setting.split(',').map((entry) => entry.trim()))
    .refine(
      (origins) => origins.every(isWebOrigin),
      'must be a list of origins such as https://app.example, without a slash at the end',
    )
    .default([]),
  PUBLIC_URL: z
    .string()
    .refine(isWebOrigin, 'must be an origin such as https://registry.example, without a slash at the end')
    .optional(),
  SECURITY_CONTACT: z
    .string()
    .refine(
      (contact) => URL.canParse(contact) && /^(?:mailto:|https:\/\/)[^\s<>"]+$/.test(contact),
      'must be an address such as mailto:security@example.com or https://example.com/security',
    )
    .optional(),
  WEBHOOK_URL: z
    .string()
    .refine(
      isWebhookUrl,
      'must be an http or https address without a user name, such as https://hooks.example/registry',
    )
    .optional(),
  WEBHOOK_SECRET: z.string().regex(WEBHOOK_SECRET, 'must be whsec_ and 24 to 64 random bytes as base64').optional(),
  SITE_CONFIG: z.string().optional(),
});

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(settingsSchema.shape);

const configSchema = settingsSchema
  .refine(({ CONNECTION_CHECKS, PUBLIC_URL }) => CONNECTION_CHECKS === 'off' || PUBLIC_URL !== undefined, {
    path: ['CONNECTION_CHECKS'],
    error: 'must be off without PUBLIC_URL, which its requests name',
  })
  .refine(({ SHARED_CACHE_SECONDS, PUBLIC_URL }) => SHARED_CACHE_SECONDS === 0 || PUBLIC_URL !== undefined, {
    path: ['SHARED_CACHE_SECONDS'],
    error: 'must be 0 without PUBLIC_URL: pages would name the host of the request for which they were stored',
  })
  .refine(({ WEBHOOK_URL, WEBHOOK_SECRET }) => (WEBHOOK_URL === undefined) === (WEBHOOK_SECRET === undefined), {
    path: ['WEBHOOK_SECRET'],
    error: 'must be set with WEBHOOK_URL, and not without',
  })
  .refine(({ WEBHOOK_URL, PUBLIC_URL }) => WEBHOOK_URL === undefined || PUBLIC_URL !== undefined, {
    path: ['WEBHOOK_URL'],
    error: 'must not be set without PUBLIC_URL, to which its events link',
  });

/** The settings of a process, named after their environment variables. */
export type Config = z.infer<typeof configSchema>;

const MIN_NODE_VERSION = 24;

/** An invalid setting; the message names the variable and its valid values. */
export class ConfigError extends Error {}

/** An empty variable counts as not set. @throws {ConfigError} for the first invalid variable */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = configSchema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ConfigError(`${issue?.path.join('.')} ${issue?.message}.`);
}

/**
 * Reads the settings from the environment of the process and the file `.env` in its working directory.
 * @throws {ConfigError} for the first invalid variable, for a `.env` that cannot be read, and in an older Node, where
 *   native packages crash the process.
 */
export function loadConfig(): Config {
  if (Number.parseInt(process.versions.node, 10) < MIN_NODE_VERSION) {
    throw new ConfigError(
      `Agent Registry needs Node.js ${MIN_NODE_VERSION} or newer, and this is ${process.versions.node}. "npx -y pnpm@12 start" brings its own.`,
    );
  }
  return readConfig({ ...readEnvFile(), ...process.env });
}

/** The variables of the file `.env` in the working directory; none without the file. */
export function readEnvFile(): Record<string, string | undefined> {
  if (!existsSync('.env')) return {};
  try {
    // Editors of Windows write a byte order mark, which would be part of the first name.
    return parseEnv(readFileSync('.env', 'utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new ConfigError(`The file .env cannot be read: ${(cause as Error).message.replace(/\.$/, '')}.`, { cause });
  }
}

/** The folder of the built console, which `registry console` serves. */
export const consoleDir = join(import.meta.dirname, '../../console/dist');
/** The settings of an empty environment. */
export const defaultConfig: Config = readConfig({});
