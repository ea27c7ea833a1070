import { performance } from 'node:perf_hooks';

/**
 * Reads once for all requests that the event loop takes in together. What is read then is as new as any of them may
 * expect: it was read after the last byte of them had set out, and so after all that their senders had been told.
 */
export function oncePerBatch<Value>(read: () => Value): () => Value {
  let batch = { loopCount: -1, events: -1 };
  let value: Value;
  return () => {
    // The first goes up before connections are looked at, the second after those that were found ready had their turn.
    const { loopCount, events } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount !== batch.loopCount || events !== batch.events) {
      value = read();
      batch = { loopCount, events };
    }
    return value;
  };
}
