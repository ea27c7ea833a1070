/** Longest wait for an idle period, in milliseconds. */
const IDLE_TIMEOUT = 2_000;

/** Resolves when the page has loaded and the browser is idle; immediately on the server. */
export function whenIdle(): Promise<void> {
  if (typeof window === 'undefined') return Promise.resolve();
  return new Promise((resolve) => {
    const waitForIdle = () => {
      // Safari has no requestIdleCallback.
      if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: IDLE_TIMEOUT });
      else setTimeout(resolve);
    };
    if (document.readyState === 'complete') waitForIdle();
    else window.addEventListener('load', waitForIdle, { once: true });
  });
}
