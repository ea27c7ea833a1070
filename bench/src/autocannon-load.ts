// Sends the load that its argument describes, where there is no wrk, and prints the result as wrk's script does.
import { readFileSync } from 'node:fs';
import autocannon, { type Request } from 'autocannon';
import type { Load, LoadReport } from './load.ts';

const { url, path, lines, headers = {}, connections, seconds, rate } = JSON.parse(process.argv[2] ?? '') as Load;
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  timeout: 30,
  headers,
  ...(rate === undefined ? {} : { overallRate: Math.max(1, Math.round(rate)) }),
  requests: lines ? [{ setupRequest: makeRequests(lines) }] : [{ path }],
});
const report: LoadReport = {
  requests: result.requests.total,
  microseconds: result.duration * 1e6,
  bytes: result.throughput.total,
  p50: result.latency.p50 * 1_000,
  p99: result.latency.p99 * 1_000,
  max: result.latency.max * 1_000,
  refused: result['4xx'] + result['5xx'],
  broken: result.errors + result.timeouts,
};
console.log(JSON.stringify(report));

function makeRequests({ file, offset, are }: NonNullable<Load['lines']>): (request: Request) => Request {
  const all = readFileSync(file, 'utf8').trimEnd().split('\n');
  let position = offset;
  return (request) => {
    const line = all[position % all.length] ?? '';
    position += 1;
    return are === 'paths' ? { ...request, path: line } : { ...request, path, method: 'POST', body: line };
  };
}
