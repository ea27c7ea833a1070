import type { CheckResult, Connection } from '@agent-registry/contracts';
import { MAX_BODY_SIZE, type GuardedFetch, type WebsiteResponse } from '../website-check/guarded-fetch.ts';
import type { ReadRobots } from '../website-check/read-robots.ts';

/** How long the requests of a check may take together, in milliseconds. */
const TIMEOUT = 5_000;
/** The most bytes of a list of tools that are read. Other responses are short. */
const MAX_LIST_SIZE = 262_144;
const ACCEPT = 'application/json, text/event-stream';
/** The version of the protocol that is asked for first, and the one without sessions. */
const [WITH_SESSIONS, WITHOUT_SESSIONS] = ['2025-11-25', '2026-07-28'] as const;
const CLIENT = { name: 'agent-registry', version: '1.0.0' };

/** What became of a check. */
export type Outcome = {
  result: CheckResult;
  /** The number of tools of an MCP server, if it told them. */
  tools: number | null;
  /** Why it did not answer as it should, for the owner; empty if it did. */
  reason: string;
  /** The status of the last response. */
  status: number | undefined;
  /** The milliseconds after which the server wants to be asked again, if it names them. */
  retryAfter: number | undefined;
};

/** A check of a remote connection: with at most four requests, and none that robots.txt forbids; undefined then. */
export type CheckConnection = (connection: Connection, stopping?: AbortSignal) => Promise<Outcome | undefined>;

type Answer = WebsiteResponse & { message: { result?: Record<string, unknown>; error?: unknown } | undefined };
type Post = (message: Message, headers?: Record<string, string>) => Promise<Answer>;
type Message = { id?: number; method: string; params?: object };

/** Creates the check. It calls no tool, sends no credentials and follows no redirect. */
export function createConnectionCheck(
  fetch: GuardedFetch,
  { userAgent, readRobots, timeout = TIMEOUT }: { userAgent: string; readRobots: ReadRobots; timeout?: number },
): CheckConnection {
  return async function checkConnection(connection, stopping) {
    const address = connection.kind === 'a2a' ? connection.card : 'url' in connection ? connection.url : undefined;
    if (address === undefined) return undefined;
    const url = new URL(address);
    const timedOut = AbortSignal.timeout(timeout);
    const signal = stopping ? AbortSignal.any([stopping, timedOut]) : timedOut;
    const options = { userAgent, signal, redirect: 'return', accept: ACCEPT } as const;
    try {
      if (!(await readRobots(url, signal)).isAllowed) return undefined;
      if (connection.kind !== 'mcp') return describe(await fetch(url, { ...options, accept: '*/*', maxSize: 0 }));
      // Its stream does not end.
      if (connection.transport === 'sse') return describe(await fetch(url, { ...options, maxSize: 0 }));
      return await shakeHands(async ({ id, method, params = {} }, headers) => {
        const body = JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params });
        const sent = { 'content-type': 'application/json', ...headers };
        const maxSize = method === 'tools/list' ? MAX_LIST_SIZE : MAX_BODY_SIZE;
        const read = { method: 'POST', headers: sent, body, maxSize, isComplete: findEvent() } as const;
        const answer = await fetch(url, { ...options, ...read });
        return { ...answer, message: readMessage(answer) };
      });
    } catch (error) {
      if (stopping?.aborted) return undefined;
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = timedOut.aborted ? `no answer within ${timeout / 1_000} seconds` : (code ?? message).slice(0, 100);
      return { result: 'silent', tools: null, reason, status: undefined, retryAfter: undefined };
    }
  };
}

/** Begins a session, or asks a server without sessions, and counts the tools. */
async function shakeHands(post: Post): Promise<Outcome> {
  const params = { protocolVersion: WITH_SESSIONS, capabilities: {}, clientInfo: CLIENT };
  const first = await post({ id: 1, method: 'initialize', params });
  if (!first.message?.result) {
    const isOther = first.message !== undefined || first.status === 400;
    return isOther ? discover(post, first) : describe(first, 'it did not answer with a message of MCP');
  }
  const version = first.message.result.protocolVersion;
  const session = first.headers['mcp-session-id'];
  const headers = {
    'mcp-protocol-version': typeof version === 'string' && /^[\d-]{10}$/.test(version) ? version : WITH_SESSIONS,
    ...(typeof session === 'string' && { 'mcp-session-id': session }),
  };
  await post({ method: 'notifications/initialized' }, headers);
  return describe(first, undefined, await post({ id: 2, method: 'tools/list' }, headers));
}

async function discover(post: Post, first: Answer): Promise<Outcome> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': WITHOUT_SESSIONS,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const ask = (id: number, method: string) =>
    post({ id, method, params: { _meta } }, { 'mcp-protocol-version': WITHOUT_SESSIONS, 'mcp-method': method });
  const found = await ask(2, 'server/discover');
  if (!found.message?.result) return describe(first, 'it refuses the versions of MCP that this registry speaks');
  return describe(found, undefined, await ask(3, 'tools/list'));
}

/** @param fault why an answer with a good status is none that was wanted */
function describe({ status, retryAfter }: WebsiteResponse, fault?: string, list?: Answer): Outcome {
  const common = { status, retryAfter };
  // The list itself may ask for it.
  if ([status, list?.status ?? status].some((given) => given === 401 || given === 403)) {
    return { ...common, result: 'sign-in', tools: null, reason: '' };
  }
  if (status !== 200) return { ...common, result: 'other', tools: null, reason: `status ${status}` };
  if (fault !== undefined) return { ...common, result: 'other', tools: null, reason: fault };
  const tools = list?.message?.result?.tools;
  return { ...common, result: 'answered', tools: Array.isArray(tools) ? tools.length : null, reason: '' };
}

/** Whether the lines of a stream so far are a whole event with data. */
function findEvent(): (line: string) => boolean {
  let hasData = false;
  return (line) => {
    const isEnd = line === '' && hasData;
    hasData = line.startsWith('data:') || (line !== '' && hasData);
    return isEnd;
  };
}

function readMessage({ type, text }: WebsiteResponse): Answer['message'] {
  const json = type === 'text/event-stream' ? /^data: ?(.*)$/m.exec(text)?.[1] : text;
  try {
    const message = JSON.parse(json ?? '') as Answer['message'] & { jsonrpc?: unknown };
    return message.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}
