import { STATUS_CODES } from 'node:http';
import {
  findTextFault,
  isSharedHost,
  REGISTRATION_CLOSED,
  type EditableField,
  type RegistrationMode,
} from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z, ZodError } from 'zod';
import { createPathNotFoundError, RefusalError } from '../../http-error.ts';
import { logIn } from '../../publisher/log-in.ts';
import { createPublishTokens, type Publisher } from '../../publisher/publish-token.ts';
import type { PublicationStore } from '../../publisher/publication-store.ts';
import type { Publishing } from '../../publisher/publishing.ts';
import { readPublished } from '../../publisher/read-published.ts';
import type { RateLimitStore } from '../../rate-limit/rate-limit-store.ts';
import type { RateLimitKind } from '../../rate-limit/check-usages.ts';
import { parseRequest, RegistryError } from '../../registry-error.ts';
import type { ServerStore } from '../../servers/server-store.ts';
import type { Websites } from '../../website-check/check-website.ts';
import { coversHost } from '../../website-check/domain-keys.ts';
import { toUserAgent } from '../../website-check/user-agent.ts';
import { readKey } from '../api/context.ts';
import type { Surface } from '../api/surface.ts';
import { NO_STORE } from '../cache/response-cache.ts';
import { registerLookUps } from '../mcp-registry/mcp-registry.ts';
import { parseJson } from '../plugins/body-parsers.ts';
import { refusingRoute, setErrorFormat } from '../plugins/error-handler.ts';
import { lengthOf } from '../plugins/rate-limits.ts';
import { describeHeld, describePublished, describeVersions } from './describe-published.ts';

export type PublisherOptions = Surface & {
  servers: ServerStore;
  publications: PublicationStore;
  /** How the keys of domains are read; undefined where websites are not checked. */
  websites: Websites | undefined;
  rateLimitStore: RateLimitStore;
  registration: RegistrationMode;
  heldEditsExcept: ReadonlySet<EditableField>;
};

type OpenOptions = PublisherOptions & { publicUrl: string; websites: Websites };

const PATH = '/v0';
/** Longest message about a status, in characters. */
const MAX_MESSAGE_LENGTH = 500;

const statusSchema = z.object({
  status: z.enum(['active', 'deprecated', 'deleted'], 'status must be active, deprecated or deleted'),
  statusMessage: z
    .string('statusMessage must be text')
    .refine((text) => findTextFault(text, { max: MAX_MESSAGE_LENGTH, isLine: true }) === undefined, {
      error: ({ input }) =>
        `statusMessage ${findTextFault(input as string, { max: MAX_MESSAGE_LENGTH, isLine: true })}`,
    })
    .optional(),
});

/** Takes what mcp-publisher, the command of the official registry, sends: servers, published with the key of a domain. */
export function registerPublisher(app: FastifyInstance, options: PublisherOptions): void {
  app.register(async (scope) => {
    setErrorFormat(scope, options.rateLimiter, ({ status, detail, errors = [{ field: '', message: detail }] }) => ({
      type: 'application/problem+json; charset=utf-8',
      body: JSON.stringify({
        title: STATUS_CODES[status],
        status,
        detail,
        errors: errors.map(({ field, message }) => ({ message, ...(field && { location: field }) })),
      }),
    }));
    const { publicUrl, websites } = options;
    const isOpen = publicUrl !== undefined && publicUrl.startsWith('https:') && websites !== undefined;
    if (isOpen) registerCalls(scope, { ...options, publicUrl, websites });
    const refused = refusingRoute(() =>
      isOpen
        ? createPathNotFoundError()
        : notSupported('Publishing here needs an https PUBLIC_URL and WEBSITE_CHECKS=on'),
    );
    for (const url of [PATH, `${PATH}/*`]) scope.route({ method: app.supportedMethods, url, ...refused });
  });
}

function notSupported(detail: string): RefusalError {
  return new RefusalError({ status: 501, detail, isIntended: true });
}

/** How one publishes here, for who tries another way. */
export function explainPublishing(publicUrl: string): string {
  return `Log in with the key of a domain: mcp-publisher login http (or dns) --domain DOMAIN --private-key KEY --registry ${publicUrl}`;
}

function registerCalls(scope: FastifyInstance, options: OpenOptions): void {
  const { publicUrl, websites, publications, rateLimitStore, siteConfig } = options;
  const now = () => Date.now();
  const tokens = createPublishTokens(websites.secret, publicUrl);
  const userAgent = toUserAgent(publicUrl);
  for (const place of ['http', 'dns'] as const) {
    const { db } = publications;
    post(`auth/${place}`, (body, { ip: address }) =>
      logIn(body, { place, address, userAgent }, { ...websites, db, tokens, rateLimitStore, now }),
    );
  }
  post('validate', async (body) => {
    const issues = await findIssues(options, body);
    const type = 'semantic';
    return { valid: issues.length === 0, issues: issues.map((issue) => ({ type, severity: 'error', ...issue })) };
  });
  for (const method of ['github-at', 'github-oidc', 'oidc', 'none']) {
    scope.post(
      `${PATH}/auth/${method}`,
      refusingRoute(() => notSupported(explainPublishing(publicUrl))),
    );
  }
  const authorize = (request: FastifyRequest): Publisher => {
    const publisher = tokens.read(readKey(request) ?? '');
    if (publisher) return publisher;
    throw new RegistryError('unauthorized', 'The token is missing, has ended or is of another registry: log in again');
  };
  scope.post(`${PATH}/publish`, async (request, reply) => {
    const publisher = authorize(request);
    const body = parseJson(request.body as string);
    const server = readPublished(body, siteConfig.categories);
    const publishing = toPublishing(options, publisher, server.name);
    const entry = await publications.find(server.name);
    reply.headers(await count(options, request, entry ? 'edit' : 'register'));
    const published = await publications.publish(server, publishing);
    const answer = published.isHeld
      ? describeHeld(options, server.name, body as object)
      : describePublished(options, server);
    return reply.header('Cache-Control', NO_STORE).send(await answer);
  });
  for (const name of [':name', ':namespace/:slug']) {
    for (const version of ['', '/versions/:version']) {
      scope.patch(`${PATH}/servers/${name}${version}/status`, async (request, reply) => {
        const {
          namespace,
          slug,
          version: given,
          name = `${namespace}/${slug}`,
        } = request.params as Record<string, string>;
        const publishing = toPublishing(options, authorize(request), name);
        const change = parseRequest(statusSchema, parseJson(request.body as string));
        reply.headers(await count(options, request, 'edit'));
        const changed = await publications.setStatus({ name, version: given }, change, publishing);
        const servers = await describeVersions(options, changed);
        reply.header('Cache-Control', NO_STORE);
        return given === undefined ? { updatedCount: servers.length, servers } : servers[0];
      });
    }
  }
  registerLookUps(scope, options, PATH);

  function post(path: string, answer: (body: unknown, request: FastifyRequest) => Promise<object>): void {
    scope.post(`${PATH}/${path}`, { config: { rateLimit: 'read' } }, async (request, reply) => {
      const body = await answer(parseJson(request.body as string), request);
      return reply.header('Cache-Control', NO_STORE).send(body);
    });
  }
}

/** Counts a call that changes something. */
async function count({ rateLimiter }: Surface, request: FastifyRequest, kind: RateLimitKind) {
  request.isCounted = true;
  return rateLimiter.consume(kind, request.ip, { bytes: lengthOf(request.body) });
}

/**
 * In whose name a server is published.
 * @throws {RegistryError} `forbidden` if its name is not below the domain
 */
function toPublishing(options: OpenOptions, publisher: Publisher, name: string): Publishing {
  const { websites, registration, heldEditsExcept, publications } = options;
  const { domain } = publisher;
  const namespace = name.split('/', 1).join().toLowerCase();
  const covers = (host: string) => coversHost(publisher, host, websites.sharedHosts);
  if (/^io\.git(?:hub|lab)(?:\.|$)/.test(namespace) || namespace === publications.namespace) {
    throw new RegistryError('forbidden', `Names below ${namespace} cannot be published here`);
  }
  if (!covers(namespace.split('.').toReversed().join('.'))) {
    const below = domain.split('.').toReversed().join('.');
    throw new RegistryError('forbidden', `The key of ${domain} publishes names such as ${below}/server, not ${name}`);
  }
  return {
    domain,
    proves(website) {
      const url = website === null ? null : URL.parse(website);
      return (
        url !== null && url.port === '' && !isSharedHost(url.hostname, websites.sharedHosts) && covers(url.hostname)
      );
    },
    review: registration === 'held' ? { except: heldEditsExcept } : undefined,
    closed: registration === 'closed' ? REGISTRATION_CLOSED : undefined,
  };
}

async function findIssues({ publications, siteConfig }: OpenOptions, body: unknown) {
  try {
    const { name, readAgent } = readPublished(body, siteConfig.categories);
    const entry = await publications.find(name).catch(() => undefined);
    readAgent(entry?.owned?.stored.agent ?? entry?.withdrawn?.agent);
    return [];
  } catch (error) {
    const { cause } = error as RegistryError;
    if (!(cause instanceof ZodError)) throw error;
    return cause.issues.map(({ path, message }) => ({ path: path.join(''), message }));
  }
}
