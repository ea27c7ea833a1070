import { STATUS_CODES } from 'node:http';
import { findTextFault, REGISTRATION_CLOSED, type EditableField } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z, ZodError } from 'zod';
import { createPathNotFoundError, RefusalError } from '../../http-error.ts';
import type { Publishing } from '../../publisher/find-entry.ts';
import { createPublishTokens, logIn } from '../../publisher/log-in.ts';
import type { PublicationStore } from '../../publisher/publication-store.ts';
import { readPublished, toNewAgent } from '../../publisher/read-published.ts';
import type { RateLimitKind } from '../../rate-limit/check-usages.ts';
import type { RateLimitStore } from '../../rate-limit/rate-limit-store.ts';
import { parseRequest, RegistryError } from '../../registry-error.ts';
import { serverStatuses } from '../../db/states.ts';
import type { Websites } from '../../website-check/check-website.ts';
import { coversHost, type Publisher } from '../../website-check/domain-keys.ts';
import { toUserAgent } from '../../website-check/user-agent.ts';
import { readKey } from '../api/context.ts';
import type { Surface } from '../api/surface.ts';
import { NO_STORE } from '../cache/response-cache.ts';
import { registerLookUps } from '../mcp-registry/mcp-registry.ts';
import { parseLookUp } from '../mcp-registry/requests.ts';
import { parseJson } from '../plugins/body-parsers.ts';
import { refusingRoute, setErrorFormat } from '../plugins/error-handler.ts';
import { lengthOf } from '../plugins/rate-limits.ts';

export type PublisherOptions = Surface & {
  publications: PublicationStore;
  /** How the keys of domains are read; undefined where websites are not checked. */
  websites: Websites | undefined;
  rateLimitStore: RateLimitStore;
  heldEditsExcept: ReadonlySet<EditableField>;
};

type OpenOptions = PublisherOptions & { publicUrl: string; websites: Websites };

const PATH = '/v0';
/** Longest message about a status, in characters. */
const MESSAGE = { max: 500, isLine: true };

const statusSchema = z.object({
  status: z.enum([...serverStatuses, 'deleted'], 'status must be active, deprecated or deleted'),
  statusMessage: z
    .string('statusMessage must be text')
    .refine((text) => findTextFault(text, MESSAGE) === undefined, {
      error: ({ input }) => `statusMessage ${findTextFault(input as string, MESSAGE)}`,
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
    const refused = isOpen
      ? refusingRoute(createPathNotFoundError)
      : notSupported('Publishing here needs an https PUBLIC_URL and WEBSITE_CHECKS=on');
    for (const url of [PATH, `${PATH}/*`]) scope.route({ method: app.supportedMethods, url, ...refused });
  });
}

function notSupported(detail: string) {
  return refusingRoute(() => new RefusalError({ status: 501, detail, isIntended: true }));
}

/** How one publishes here, for who tries another way. */
export function explainPublishing(publicUrl: string): string {
  return `Log in with the key of a domain: mcp-publisher login http (or dns) --domain DOMAIN --private-key KEY --registry ${publicUrl}`;
}

function registerCalls(scope: FastifyInstance, options: OpenOptions): void {
  const { publicUrl, websites, publications, rateLimiter, siteConfig } = options;
  const tokens = createPublishTokens(websites.secret, publicUrl);
  const login = { ...options, ...websites, db: publications.db, tokens };
  const held = { [`${publications.namespace}/state`]: 'held' };
  const uncached = {
    onSend: async (_request: FastifyRequest, reply: FastifyReply) => void reply.header('Cache-Control', NO_STORE),
  };
  for (const place of ['http', 'dns'] as const) {
    post(`auth/${place}`, (body, { ip: address }) =>
      logIn(body, { place, address, userAgent: toUserAgent(publicUrl) }, login),
    );
  }
  post('validate', async (body) => {
    const issues = await findIssues(options, body);
    const type = 'semantic';
    return { valid: issues.length === 0, issues: issues.map((issue) => ({ type, severity: 'error', ...issue })) };
  });
  for (const method of ['github-at', 'github-oidc', 'oidc', 'none']) {
    scope.post(`${PATH}/auth/${method}`, notSupported(explainPublishing(publicUrl)));
  }
  const findVersions = registerLookUps(scope, options, PATH);
  scope.post(`${PATH}/publish`, uncached, async (request, reply) => {
    const publisher = authorize(request);
    const body = parseJson(request.body as string);
    const server = readPublished(body, siteConfig.categories);
    const publishing = toPublishing(options, publisher, server.name);
    const entry = await publications.find(server.name);
    reply.headers(await count(request, entry ? 'edit' : 'register'));
    const isHeld = await publications.publish(server, publishing);
    const latest = { name: server.name, version: 'latest', includesDeleted: false };
    const [listed] = await findVersions(latest, request.deadline);
    if (!isHeld) return listed;
    const { _meta: _, ...sent } = body as { _meta?: unknown };
    return { server: sent, _meta: { ...listed?._meta, ...held } };
  });
  for (const name of [':name', ':namespace/:slug']) {
    for (const versions of ['', '/versions/:version']) {
      scope.patch(`${PATH}/servers/${name}${versions}/status`, uncached, async (request, reply) => {
        const { name, version } = parseLookUp(request);
        const publishing = toPublishing(options, authorize(request), name);
        const change = parseRequest(statusSchema, parseJson(request.body as string));
        reply.headers(await count(request, 'edit'));
        const present = await publications.setStatus(name, { ...change, version }, publishing);
        // Of one that waits for review nothing is listed, or another version.
        const waiting = { server: { name, description: 'Waits for review', version: version ?? present }, _meta: held };
        const find = (wanted: string | undefined) =>
          findVersions({ name, version: wanted, includesDeleted: true }, request.deadline);
        const found = await find(version);
        const servers = found.length > 0 ? found : [(await find('latest'))[0] ?? waiting];
        return version === undefined ? { updatedCount: servers.length, servers } : servers[0];
      });
    }
  }

  function post(path: string, answer: (body: unknown, request: FastifyRequest) => Promise<object>): void {
    scope.post(`${PATH}/${path}`, { ...uncached, config: { rateLimit: 'read' } }, async (request) =>
      answer(parseJson(request.body as string), request),
    );
  }

  function authorize(request: FastifyRequest): Publisher {
    const publisher = tokens.read(readKey(request) ?? '');
    if (publisher) return publisher;
    throw new RegistryError('unauthorized', 'The token is missing, has ended or is of another registry: log in again');
  }

  async function count(request: FastifyRequest, kind: RateLimitKind) {
    request.isCounted = true;
    return rateLimiter.consume(kind, request.ip, { bytes: lengthOf(request.body) });
  }
}

/** @throws {RegistryError} `forbidden` if the name is not below the domain */
function toPublishing(options: OpenOptions, publisher: Publisher, name: string): Publishing {
  const { websites, registration, heldEditsExcept, publications } = options;
  const { sharedHosts } = websites;
  const namespace = name.split('/', 1).join().toLowerCase();
  if (/^io\.git(?:hub|lab)(?:\.|$)/.test(namespace) || namespace === publications.namespace) {
    throw new RegistryError('forbidden', `Names below ${namespace} cannot be published here`);
  }
  const reverse = (text: string) => text.split('.').toReversed().join('.');
  if (!coversHost(publisher, reverse(namespace), sharedHosts)) {
    const { domain } = publisher;
    const detail = `The key of ${domain} publishes names such as ${reverse(domain)}/server, not ${name}`;
    throw new RegistryError('forbidden', detail);
  }
  return {
    publisher,
    sharedHosts,
    review: registration === 'held' ? { except: heldEditsExcept } : undefined,
    closed: registration === 'closed' ? REGISTRATION_CLOSED : undefined,
  };
}

async function findIssues({ publications, siteConfig: { categories } }: OpenOptions, body: unknown) {
  try {
    const server = readPublished(body, categories);
    const entry = await publications.find(server.name).catch(() => undefined);
    toNewAgent(server, entry?.stored.agent, categories);
    return [];
  } catch (error) {
    const { cause } = error as RegistryError;
    if (!(cause instanceof ZodError)) throw error;
    return cause.issues.map(({ path, message }) => ({ path: path.join(''), message }));
  }
}
