// Runs within the servers that are measured: tells how long the event loop was held up since it was last asked.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION = 2;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION });

process.on('message', () => {
  // Each value has the time between two looks in it.
  const toMilliseconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION);
  process.send?.({
    p50: toMilliseconds(delay.percentile(50)),
    p99: toMilliseconds(delay.percentile(99)),
    max: toMilliseconds(delay.max),
  });
  delay.reset();
  delay.enable();
});
// Nobody measures it any more.
process.once('disconnect', () => process.exit());
// The channel does not keep the process from ending.
process.channel?.unref();
