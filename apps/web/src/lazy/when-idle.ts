/** What a visitor does first. */
const FIRST_ACTS = ['pointerdown', 'keydown', 'focusin', 'scroll'] as const;

/** How long a browser is waited for that is never idle, in milliseconds; some headless ones never say that they are. */
const LONGEST_BUSY = 2_000;

/**
 * Resolves once the first view is there and the browser has nothing else to do, or the visitor does something, whichever
 * comes first: then is the time for code that the first view does without. On the server that is at once.
 */
export function whenIdle(): Promise<void> {
  return (waiting ??= typeof window === 'undefined' ? Promise.resolve() : waitForFirstView());
}

let waiting: Promise<void> | undefined;

async function waitForFirstView(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = new AbortController();
  for (const act of FIRST_ACTS) {
    window.addEventListener(act, () => resolve(), { signal: listening.signal, capture: true, passive: true });
  }
  // Safari has no such callback.
  const waitForIdle = () =>
    'requestIdleCallback' in window
      ? requestIdleCallback(() => resolve(), { timeout: LONGEST_BUSY })
      : setTimeout(resolve);
  if (document.readyState === 'complete') waitForIdle();
  else window.addEventListener('load', waitForIdle, { once: true });
  await promise;
  listening.abort();
}
