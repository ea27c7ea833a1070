import { Webhook } from 'standardwebhooks';
import { toAgentPath } from '@agent-registry/contracts';
import { PRODUCT } from '../website-check/user-agent.ts';
import type { EventType } from '../db/states.ts';
import type { OperatorEvent, WebhookStore } from './webhook-store.ts';

/** How often a process looks for events, in milliseconds. */
export const DELIVERY_INTERVAL = 2_000;

export type WebhookOptions = {
  store: WebhookStore;
  target: WebhookTarget;
  publicUrl: string;
  onAttempt: (result: 'sent' | 'failed' | 'dropped') => void;
};

/** How long a receiver may take to answer, in milliseconds. */
const TIMEOUT = 10_000;

type WebhookTarget = { url: string; secret: string };

/** A message of Standard Webhooks (https://www.standardwebhooks.com). */
export type WebhookMessage = {
  /** The same for each attempt. */
  id: string;
  type: EventType | 'webhook.test';
  timestamp: string;
  /** Ids and links only: no text of an agent. */
  data: { id: string; url: string; api: string } | Record<string, never>;
};

/** A message that was not delivered. Its text names neither the secret nor the address, which may hold a token. */
export class WebhookError extends Error {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** The statuses of 400 to 499 after which a later attempt may succeed. */
const BUSY_STATUSES = new Set([408, 425, 429]);

function toMessage({ id, at, type, agentId }: Omit<OperatorEvent, 'number'> & { id: string }, publicUrl: string) {
  const data = { id: agentId, url: publicUrl + toAgentPath(agentId), api: `${publicUrl}/api/agents/${agentId}` };
  return { id, type, timestamp: at, data } satisfies WebhookMessage;
}

/** Sends a message, signed, to the address of the operator and nowhere else: a redirect is a failure. Returns the status. */
export async function sendMessage(
  { url, secret }: WebhookTarget,
  { id, ...payload }: WebhookMessage,
  signal?: AbortSignal,
): Promise<number> {
  const body = JSON.stringify(payload);
  const sentAt = new Date();
  const limit = AbortSignal.timeout(TIMEOUT);
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': PRODUCT,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
    },
    body,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  }).catch((error: unknown) => {
    // Without its cause, whose text may name the address.
    throw new WebhookError(`The webhook cannot be reached: ${describeReason(error)}.`);
  });
  await response.body?.cancel();
  const { status } = response;
  if (!response.ok) throw new WebhookError(`The webhook answered with status ${status}.`, status);
  return status;
}

function describeReason(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT / 1_000} seconds`;
  return typeof cause?.code === 'string' ? cause.code : 'the request failed';
}

/** Delivers the events that wait, in their order, at least once each. The first failure ends it. */
export async function deliverEvents(
  { store, target, publicUrl, onAttempt }: WebhookOptions,
  signal?: AbortSignal,
): Promise<void> {
  let lease = await store.claim();
  for (let events = lease && (await store.read(lease)); lease && events && events.length > 0;) {
    for (const { number, ...waiting } of events) {
      const event = { ...waiting, id: `event_${number}_${Date.parse(waiting.at)}` };
      try {
        await sendMessage(target, toMessage(event, publicUrl), signal);
      } catch (error) {
        // A shutdown breaks off the request; the next process sends it again.
        if (signal?.aborted) return store.release(lease);
        const { message, status = 0 } = error as WebhookError;
        const isRefused = status >= 400 && status < 500 && !BUSY_STATUSES.has(status);
        const next = isRefused ? await store.refuse(lease, number) : await store.fail(lease);
        onAttempt(next ? 'dropped' : 'failed');
        if (next) await store.release(next);
        throw new WebhookError(`${event.type} ${event.id}: ${message}${next ? ' The event is dropped.' : ''}`, status);
      }
      onAttempt('sent');
      lease = await store.advance(lease, number);
      if (!lease) return;
    }
    events = await store.read(lease);
  }
  if (lease) await store.release(lease);
}
