import {
  addressOf,
  parseJson,
  toObject,
  type CheckResult,
  type Connection,
  type McpRemote,
  type Offer,
} from '@agent-registry/contracts';
import { MAX_BODY_SIZE, type GuardedFetch, type WebsiteResponse } from '../website-check/guarded-fetch.ts';
import type { ReadRobots } from '../website-check/read-robots.ts';
import { MAX_SIZES, readFile, type FileConnection } from './read-file.ts';
import { readOffer, type List } from './read-offer.ts';

/** How long a request of a check may take, and all of them together, in milliseconds. */
const [TIMEOUT, MAX_TIME] = [5_000, 20_000] as const;
/** The statuses of a redirect that keeps the method, and of refusals that say nothing about a server. */
const [MOVED, REFUSED] = [new Set([307, 308]), new Set([401, 403, 407, 429, 511])] as const;
/** The most characters of a reason. */
const MAX_REASON = 500;
/** The most bytes of a list that are read. Other responses are short. */
const MAX_LIST_SIZE = 262_144;
const ACCEPT = 'application/json, text/event-stream';
/** The version of the protocol that is asked for first, and the one without sessions. */
const [WITH_SESSIONS, WITHOUT_SESSIONS] = ['2025-11-25', '2026-07-28'] as const;
const CLIENT = { name: 'agent-registry', version: '1.0.0' };

/** What became of a check. */
export type Outcome = {
  result: CheckResult;
  /** The number of tools of an MCP server, if it told them all. */
  tools: number | null;
  /** What it offers, if that could be read. */
  offer?: Offer | undefined;
  /** Why it did not answer as it should, for the owner; empty if it did. */
  reason: string;
  /** The status of the last response. */
  status: number | undefined;
  /** The milliseconds after which the server wants to be asked again, if it names them. */
  retryAfter: number | undefined;
};

/**
 * A check of a remote connection: with at most eight requests, and none that robots.txt forbids; undefined then, and after a
 * refusal that is no sign-in.
 */
export type CheckConnection = (
  connection: Connection,
  options?: {
    stopping?: AbortSignal | undefined;
    /** The host that the owner of the entry controls, as was seen. */
    host?: string | undefined;
  },
) => Promise<Outcome | undefined>;

type Answer = WebsiteResponse & { message: Message | undefined };
type Message = { id?: unknown; result?: Record<string, unknown> | null; error?: unknown };
type Call = { id?: number; method: string; params?: object };
type Post = (call: Call, headers?: Record<string, string>) => Promise<Answer>;

/** Creates the check. It calls no tool and sends no credentials; it follows one redirect, within the host. */
export function createConnectionCheck(
  fetch: GuardedFetch,
  { userAgent, readRobots, timeout = TIMEOUT }: { userAgent: string; readRobots: ReadRobots; timeout?: number },
): CheckConnection {
  return async function checkConnection(connection, { stopping, host } = {}) {
    if (connection.kind === 'mcp-package') return undefined;
    let url = new URL(addressOf(connection));
    let moved = '';
    const ended = AbortSignal.any([AbortSignal.timeout(MAX_TIME), ...(stopping ? [stopping] : [])]);
    const limit = () => AbortSignal.any([ended, AbortSignal.timeout(timeout)]);
    let signal = limit();
    const isAllowed = async (page: URL) => (await readRobots(page, signal)).isAllowed;
    const send = async (request: Partial<Parameters<GuardedFetch>[1]>): Promise<WebsiteResponse> => {
      signal = limit();
      const options = { userAgent, signal, redirect: 'return', accept: ACCEPT, ...request } as const;
      const answer = await fetch(url, options);
      const target = MOVED.has(answer.status) ? URL.parse(answer.headers.location ?? '', url.href) : null;
      if (moved !== '' || target?.origin !== url.origin || !(await isAllowed(target))) return answer;
      moved = `it redirects to ${target.href}`;
      url = target;
      return fetch(url, options);
    };
    const readKeys = async (address: URL) => {
      signal = limit();
      return (await isAllowed(address)) ? fetch(address, { userAgent, signal, redirect: 'return' }) : undefined;
    };
    const checkFile = async (file: FileConnection) => {
      const answer = await send({ accept: '*/*', maxSize: MAX_SIZES[file.kind] });
      const { fault, offer } = await readFile(file, answer, { host, readKeys });
      const outcome = describe(answer, fault);
      return outcome?.result === 'answered' ? { ...outcome, offer } : outcome;
    };
    try {
      if (!(await isAllowed(url))) return undefined;
      const outcome = await (connection.kind === 'mcp' ? checkServer(connection, send) : checkFile(connection));
      if (!outcome || stopping?.aborted) return undefined;
      return { ...outcome, reason: [outcome.reason, moved].filter(Boolean).join(', ').slice(0, MAX_REASON) };
    } catch (error) {
      if (stopping?.aborted) return undefined;
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = signal.aborted ? `no answer within ${timeout / 1_000} seconds` : (code ?? message).slice(0, 100);
      return { result: 'silent', tools: null, reason, status: undefined, retryAfter: undefined };
    }
  };
}

type Send = (request: Partial<Parameters<GuardedFetch>[1]>) => Promise<WebsiteResponse>;

function checkServer({ transport }: McpRemote, send: Send) {
  if (transport === 'streamable-http') {
    return shakeHands(async ({ id, method, params = {} }, headers) => {
      const isAnswer = (message: Message) => message.id === id || (message.error !== undefined && message.id == null);
      const events = readEvents(({ data }) => {
        const message = parseMessage(data);
        return message && isAnswer(message) ? message : undefined;
      });
      const answer = await send({
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params }),
        maxSize: id === undefined ? 0 : method.endsWith('/list') ? MAX_LIST_SIZE : MAX_BODY_SIZE,
        isComplete: events.take,
      });
      const message = isStream(answer) ? events.found() : parseMessage(answer.text);
      return { ...answer, message: message && isAnswer(message) ? message : undefined };
    });
  }
  // Its stream does not end.
  const events = readEvents(({ type, data }) => (type === 'endpoint' && data !== '' ? data : undefined));
  return send({ isComplete: events.take }).then((answer) =>
    describe(answer, isStream(answer) && events.found() !== undefined ? undefined : 'it is no stream of MCP'),
  );
}

const isStream = ({ type }: WebsiteResponse): boolean => type === 'text/event-stream';

/** Begins a session, or asks a server without sessions, and counts the tools. */
async function shakeHands(post: Post): Promise<Outcome | undefined> {
  const params = { protocolVersion: WITH_SESSIONS, capabilities: {}, clientInfo: CLIENT };
  const first = await post({ id: 1, method: 'initialize', params });
  if (typeof first.message?.result?.protocolVersion !== 'string') {
    const isOther = first.message?.error !== undefined || first.status === 400;
    return isOther ? discover(post, first) : describe(first, 'it did not answer with a message of MCP');
  }
  const version = first.message.result.protocolVersion;
  const session = first.headers['mcp-session-id'];
  const headers = {
    'mcp-protocol-version': /^[\d-]{10}$/.test(version) ? version : WITH_SESSIONS,
    ...(typeof session === 'string' && { 'mcp-session-id': session }),
  };
  await post({ method: 'notifications/initialized' }, headers);
  return describeServer(first, (call) => post(call, headers));
}

/** Describes a server by its lists. */
async function describeServer(first: Answer, post: Post): Promise<Outcome | undefined> {
  const answers: Answer[] = [];
  const ask = async (method: string, params: object): Promise<List> => {
    const answer = await post({ id: answers.length + 3, method, params });
    answers.push(answer);
    const isCut = answer.status === 200 && Buffer.byteLength(answer.text) >= MAX_LIST_SIZE;
    return { result: toObject(answer.message?.result), isCut };
  };
  const offer = await readOffer(ask, toObject(first.message?.result));
  const outcome = describe(first, undefined, answers[0]);
  return outcome?.result === 'answered'
    ? { ...outcome, offer, tools: (offer?.isMore ? undefined : offer?.count) ?? null }
    : outcome;
}

async function discover(post: Post, first: Answer): Promise<Outcome | undefined> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': WITHOUT_SESSIONS,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const ask = ({ id, method, params = {} }: Call) =>
    post(
      { id: id ?? 2, method, params: { ...params, _meta } },
      { 'mcp-protocol-version': WITHOUT_SESSIONS, 'mcp-method': method },
    );
  const found = await ask({ method: 'server/discover' });
  if (!found.message?.result) return describe(first, 'it refuses the versions of MCP that this registry speaks');
  return describeServer(found, ask);
}

/**
 * Describes an answer; undefined for a refusal that is no sign-in, such as that of a proxy.
 * @param fault why an answer with a good status is none that was wanted
 */
function describe(answer: WebsiteResponse, fault?: string, list?: Answer): Outcome | undefined {
  const { status, retryAfter } = answer;
  const outcome = { status, retryAfter, tools: null, reason: '' };
  // The list itself may ask for it.
  if (isSignIn(answer) || (list && isSignIn(list))) return { ...outcome, result: 'sign-in' };
  if (answer.isChallenge || REFUSED.has(status)) return undefined;
  const reason = status === 200 ? fault : `status ${status}`;
  if (reason !== undefined) return { ...outcome, result: 'other', reason };
  return { ...outcome, result: 'answered' };
}

function isSignIn({ status, type, headers, isChallenge }: WebsiteResponse): boolean {
  if (isChallenge || (status !== 401 && status !== 403)) return false;
  const isOfPage = status === 403 ? !/\bjson$/.test(type) : type === 'text/html';
  return headers['www-authenticate'] !== undefined || !isOfPage;
}

/** Reads the lines of a stream of events (HTML, 9.2.6) until one is wanted. */
function readEvents<Found>(find: (event: { type: string; data: string }) => Found | undefined) {
  let found: Found | undefined;
  let type = '';
  let data: string[] = [];
  return {
    found: () => found,
    take: (line: string): boolean => {
      const [, name = '', value = ''] = /^\uFEFF?([^:]*):? ?(.*)$/su.exec(line) ?? [];
      if (name === 'data') data.push(value);
      if (name === 'event') type = value;
      if (line !== '') return false;
      if (data.length > 0) found = find({ type, data: data.join('\n') });
      [type, data] = ['', []];
      return found !== undefined;
    },
  };
}

function parseMessage(text: string): Message | undefined {
  const message = toObject(parseJson(text));
  return message.jsonrpc === '2.0' ? message : undefined;
}
