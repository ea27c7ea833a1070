import { setTimeout } from 'node:timers/promises';
import type { Agent } from '@agent-registry/contracts';
import { createHttpClient } from './http-client.ts';
import { time, type Times } from './timing.ts';

/** For how long one agent after the other is read, in milliseconds. */
const DURATION = 4_000;
/** How long the reader waits between two of them, in milliseconds. */
const PAUSE = 5;

/** Reads single agents, one after the other with small pauses; for so long, or until something has ended. */
export async function timeOneAgent(url: string, agents: readonly Agent[], until?: Promise<unknown>): Promise<Times> {
  const client = createHttpClient(url);
  const took: Times = [];
  const over = new AbortController();
  const end = (until ?? setTimeout(DURATION)).finally(() => over.abort());
  for (let index = 0; !over.signal.aborted; index = (index + 7_919) % agents.length) {
    await time(took, () => client.get(`/api/agents/${agents[index]?.id}`));
    await setTimeout(PAUSE);
  }
  client.close();
  await end;
  return took;
}
