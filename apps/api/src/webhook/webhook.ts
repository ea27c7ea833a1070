import { sendMessage, toMessage, type WebhookTarget } from './send-message.ts';
import type { WebhookStore } from './webhook-store.ts';

/** How often a process looks for events, in milliseconds. */
export const DELIVERY_INTERVAL = 2_000;

export type WebhookOptions = {
  store: WebhookStore;
  target: WebhookTarget;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  publicUrl: string;
  /** Called after each attempt. */
  onAttempt: (result: 'sent' | 'failed') => void;
};

/**
 * Delivers the events that wait, one after the other in their order, at least once each. The first failure ends it.
 * @throws {WebhookError} when an event was not delivered; it is tried again after a wait.
 */
export async function deliverEvents(
  { store, target, publicUrl, onAttempt }: WebhookOptions,
  signal?: AbortSignal,
): Promise<void> {
  let lease = await store.claim();
  for (let events = lease && (await store.read(lease)); lease && events && events.length > 0;) {
    for (const event of events) {
      try {
        await sendMessage(target, toMessage(event, publicUrl), signal);
      } catch (error) {
        // A shutdown breaks off the request; the next process sends it again.
        if (signal?.aborted) return store.release(lease);
        onAttempt('failed');
        await store.fail(lease);
        throw error;
      }
      onAttempt('sent');
      lease = await store.advance(lease, event.number);
      if (!lease) return;
    }
    events = await store.read(lease);
  }
  if (lease) await store.release(lease);
}
