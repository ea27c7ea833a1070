import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { defaultServerOptions } from './server-options.ts';

const defaults = {
  HOST: '127.0.0.1',
  PORT: 3000,
  DATABASE_URL: 'file:data/registry.db',
  DATABASE_POOL_SIZE: 10,
  DATABASE_STATEMENT_TIMEOUT: 5_000,
  LOG_LEVEL: 'info',
  CACHE_SIZE: 64,
  SHARED_CACHE_SECONDS: 0,
  SHUTDOWN_DELAY: 500,
  REGISTRATION: 'open',
  HELD_EDITS_EXCEPT: [],
  PUBLIC_CONTACT: 'everywhere',
  WEBSITE_CHECKS: 'on',
  CONNECTION_CHECKS: 'off',
  REGISTER_LIMIT: 60,
  REGISTER_LIMIT_GLOBAL: 600,
  READ_LIMIT: 600,
  CORS_ORIGINS: [],
};

test('every setting has a default', () => {
  expect(readConfig({})).toEqual(defaults);
});

test('the web app is that of the build folder of the web package', () => {
  expect(existsSync(resolve(defaultServerOptions.webDir, '../package.json'))).toBe(true);
});

test.each(Object.keys(defaults))('an empty %s counts as not set', (name) => {
  expect(readConfig({ [name]: '' })).toEqual(defaults);
});

test('other environment variables are ignored', () => {
  expect(readConfig({ PATH: '/bin', HOME: '/root' })).toEqual(defaults);
});

test.each([
  ['HOST', '0.0.0.0', '0.0.0.0'],
  ['PORT', '0', 0],
  ['PORT', '65535', 65_535],
  ['DATABASE_URL', 'file:/srv/registry.db', 'file:/srv/registry.db'],
  ['DATABASE_URL', 'postgres://u:p@db/registry', 'postgres://u:p@db/registry'],
  ['DATABASE_URL', 'postgres://u,1:p,2@db/one,two', 'postgres://u,1:p,2@db/one,two'],
  ['DATABASE_URL', 'file:/srv/a,b?channel_binding=x', 'file:/srv/a,b?channel_binding=x'],
  ['DATABASE_POOL_SIZE', '3', 3],
  ['PUBLIC_CONTACT', 'page', 'page'],
  ['SAMPLE_DATA', 'on', 'on'],
  ['SAMPLE_DATA', 'off', 'off'],
  ['LOG_LEVEL', 'silent', 'silent'],
  ['CACHE_SIZE', '0', 0],
  ['METRICS_PORT', '9464', { host: '127.0.0.1', port: 9_464 }],
  ['METRICS_PORT', '0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
  ['METRICS_PORT', '[::1]:65535', { host: '::1', port: 65_535 }],
  ['METRICS_PORT', 'metrics.internal:9464', { host: 'metrics.internal', port: 9_464 }],
  ['SHUTDOWN_DELAY', '0', 0],
  ['REGISTRATION', 'held', 'held'],
  ['REGISTRATION', 'closed', 'closed'],
  ['HELD_EDITS_EXCEPT', 'pricingModel, apiAccess', ['pricingModel', 'apiAccess']],
  ['WEBSITE_CHECKS', 'off', 'off'],
  ['REGISTER_LIMIT', '0', 0],
  ['REGISTER_LIMIT_GLOBAL', '1000', 1_000],
  ['READ_LIMIT', '1000000', 1_000_000],
  ['TRUST_PROXY', '1', 1],
  ['TRUST_PROXY', '0', undefined],
  ['TRUST_PROXY', '127.0.0.1, 10.0.0.0/8', ['127.0.0.1', '10.0.0.0/8']],
  ['TRUST_PROXY', 'loopback, 10.0.0.0/8,fd00::/8', ['loopback', '10.0.0.0/8', 'fd00::/8']],
  ['PUBLIC_URL', 'https://registry.example', 'https://registry.example'],
  ['CORS_ORIGINS', 'https://app.example,http://localhost:5173', ['https://app.example', 'http://localhost:5173']],
])('%s may be %s', (name, value, expected) => {
  expect(readConfig({ [name]: value })).toEqual({ ...defaults, [name]: expected });
});

const NO_DATABASE =
  'must name a SQLite file, such as file:data/registry.db, or a PostgreSQL database, such as postgres://user:password@host/registry';

const NO_WEBHOOK = 'must be an http or https address without a user name, such as https://hooks.example/registry';
const WEBHOOK_SECRET = `whsec_${'a'.repeat(32)}`;

const SEVERAL_HOSTS =
  'must name one host: the driver connects to no other. Put a proxy or a name that moves in front of several';
const CHANNEL_BINDING =
  'must not have channel_binding, which the driver ignores: sslmode=verify-full checks the server';
const NO_PUBLIC_URL = 'must be an origin such as https://registry.example, without a slash at the end';
const NO_ORIGIN = 'must be a list of origins such as https://app.example, without a slash at the end';
const NO_PROXY = 'must be a number of proxies, or a list of addresses and networks such as 127.0.0.1, 10.0.0.0/8';

test.each<[string, string, string]>([
  ['PORT', 'http', 'must be a whole number from 0 to 65535'],
  ['PORT', ' ', 'must be a whole number from 0 to 65535'],
  ['PORT', '-1', 'must be a whole number from 0 to 65535'],
  ['PORT', '65536', 'must be a whole number from 0 to 65535'],
  ['PORT', '80.5', 'must be a whole number from 0 to 65535'],
  ['DATABASE_URL', 'registry.db', NO_DATABASE],
  ['DATABASE_URL', 'file:', NO_DATABASE],
  ['DATABASE_URL', 'mysql://localhost/registry', NO_DATABASE],
  ['DATABASE_URL', 'postgres://u:p@one,two/registry', SEVERAL_HOSTS],
  ['DATABASE_URL', 'postgresql://one:5432,two:5433/registry?sslmode=disable', SEVERAL_HOSTS],
  ['DATABASE_URL', 'postgres:///registry?host=one,two', SEVERAL_HOSTS],
  ['DATABASE_URL', 'postgres:///registry?host=one&host=two', SEVERAL_HOSTS],
  ['DATABASE_URL', 'postgres://db/registry?sslmode=require&channel_binding=require', CHANNEL_BINDING],
  ['DATABASE_POOL_SIZE', '0', 'must be a whole number from 1 to 1000'],
  ['DATABASE_STATEMENT_TIMEOUT', '1s', 'must be a whole number from 1 to 3600000'],
  ...['on', '65536', '0.0.0.0', '0.0.0.0:', ':9464', '::1'].map((setting): [string, string, string] => [
    'METRICS_PORT',
    setting,
    'must be a port from 0 to 65535, or an address with one, such as 0.0.0.0:9464',
  ]),
  ['SAMPLE_DATA', 'yes', 'must be on or off'],
  ['REGISTRATION', 'off', 'must be open, held or closed'],
  [
    'HELD_EDITS_EXCEPT',
    'pricing',
    'must be a list of fields: name, description, category, capabilities, exampleTasks, connections, serverName, contactEmail, website, pricingModel, apiAccess',
  ],
  ['HELD_EDITS_EXCEPT', 'name, connections', 'must not have connections, which are always reviewed'],
  ['PUBLIC_CONTACT', 'nowhere', 'must be everywhere or page'],
  ['WEBSITE_CHECKS', 'no', 'must be on or off'],
  ['CONNECTION_CHECKS', 'yes', 'must be on or off'],
  ['CONNECTION_CHECKS', 'on', 'must be off without PUBLIC_URL, which its requests name'],
  ['REGISTER_LIMIT', '-1', 'must be a whole number from 0 to 1000000'],
  ['READ_LIMIT', 'none', 'must be a whole number from 0 to 1000000'],
  ...['yes', 'true', '-1', '1.5', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8', 'fd00::/129', 'proxy.local', ','].map(
    (setting): [string, string, string] => ['TRUST_PROXY', setting, NO_PROXY],
  ),
  ['PUBLIC_URL', 'https://registry.example/', NO_PUBLIC_URL],
  ['PUBLIC_URL', 'registry.example', NO_PUBLIC_URL],
  ...['ftp://hooks.example', 'hooks.example', 'https://user:password@hooks.example/'].map(
    (setting): [string, string, string] => ['WEBHOOK_URL', setting, NO_WEBHOOK],
  ),
  ...['secret', 'whsec_c2hvcnQ=', `whsec_${'*'.repeat(32)}`, `whsec_${'a'.repeat(88)}`].map(
    (setting): [string, string, string] => [
      'WEBHOOK_SECRET',
      setting,
      'must be whsec_ and 24 to 64 random bytes as base64',
    ],
  ),
  ['WEBHOOK_SECRET', WEBHOOK_SECRET, 'must be set with WEBHOOK_URL, and not without'],
  ['CORS_ORIGINS', '*', NO_ORIGIN],
  ['CORS_ORIGINS', 'https://app.example/', NO_ORIGIN],
  ['CORS_ORIGINS', 'app.example', NO_ORIGIN],
  ['CORS_ORIGINS', 'https://app.example,null', NO_ORIGIN],
  ['LOG_LEVEL', 'loud', 'must be trace, debug, info, warn, error, fatal or silent'],
])('%s=%s is refused with a sentence that names the variable', (name, value, sentence) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(`${name} ${sentence}.`);
});

test('a webhook needs a secret and PUBLIC_URL, and no message shows the secret', () => {
  const webhook = { WEBHOOK_URL: 'https://hooks.example/registry', WEBHOOK_SECRET };
  expect(readConfig({ ...webhook, PUBLIC_URL: 'https://registry.example' })).toMatchObject(webhook);
  expect(() => readConfig({ WEBHOOK_URL: webhook.WEBHOOK_URL })).toThrow('WEBHOOK_SECRET must be set with WEBHOOK_URL');
  expect(() => readConfig(webhook)).toThrow('WEBHOOK_URL must not be set without PUBLIC_URL');
  expect(() => readConfig({ WEBHOOK_SECRET })).toThrow('WEBHOOK_SECRET must be set with WEBHOOK_URL, and not without');
  for (const setting of [`${WEBHOOK_SECRET}!`, 'whsec_secret']) {
    expect(() => readConfig({ ...webhook, WEBHOOK_SECRET: setting })).not.toThrow(setting);
  }
});
