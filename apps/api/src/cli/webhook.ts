import { randomUUID } from 'node:crypto';
import { countOf } from '@agent-registry/contracts';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { sendMessage, toMessage, WebhookError } from '../webhook/webhook.ts';
import { readRefused, removeRefused } from '../webhook/webhook-store.ts';
import {
  addActingOptions,
  CommandError,
  readActing,
  say,
  sayRow,
  withDatabase,
  type ActingOptions,
  type CommandContext,
} from './command.ts';

type RefusedOptions = ActingOptions & { all?: boolean };

/** Adds the commands for the webhook. */
export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhook = program
    .command('webhook')
    .description('for the webhook of WEBHOOK_URL, and the events that it refused');
  webhook
    .command('test')
    .description('send it a test message and print its answer')
    .action(() => testWebhook(context));
  webhook
    .command('list')
    .description('print the refused events: id, type, id of the agent, when it was set aside, last status')
    .action(() => listRefused(context));
  const descriptions = { retry: 'send refused events again', drop: 'forget refused events' };
  for (const name of ['retry', 'drop'] as const) {
    addActingOptions(webhook.command(`${name} [event...]`))
      .description(`${descriptions[name]}, by their ids or with --all`)
      .option('--all', 'every refused event')
      .action((ids: string[], options: RefusedOptions) => settleRefused(context, name, { ids, options }));
  }
}

function readTarget({ WEBHOOK_URL: url, WEBHOOK_SECRET: secret, PUBLIC_URL: publicUrl = '' }: Config) {
  if (url === undefined || secret === undefined) throw new CommandError('WEBHOOK_URL is not set.');
  return { url, secret, publicUrl };
}

async function testWebhook(context: CommandContext): Promise<void> {
  const target = readTarget(context.loadConfig());
  const message = {
    id: `test_${randomUUID()}`,
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    data: {},
  } as const;
  try {
    say(context, `The webhook answered with status ${await sendMessage(target, message)}.`);
  } catch (error) {
    if (error instanceof WebhookError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

async function listRefused(context: CommandContext): Promise<void> {
  await withDatabase(context, async ({ engine }) => {
    for (const { id, type, agentId, refusedAt, status } of await readRefused(engine.db)) {
      sayRow(context, id, type, agentId, refusedAt, status);
    }
  });
}

/** Sends refused events again, or forgets them. Each one is settled by itself. */
async function settleRefused(
  context: CommandContext,
  name: 'retry' | 'drop',
  { ids, options: { all = false, ...options } }: { ids: readonly string[]; options: RefusedOptions },
): Promise<void> {
  if (all === ids.length > 0)
    throw new CommandError('Name events by their ids, or give --all; see registry webhook list.');
  const acting = readActing(`webhook ${name}`, options);
  await withDatabase(context, async ({ engine: { db } }, config) => {
    const target = name === 'retry' ? readTarget(config) : undefined;
    const events = await readRefused(db, all ? undefined : ids);
    let failed = 0;
    for (const event of events) {
      try {
        if (target) await sendMessage(target, toMessage(event, target.publicUrl));
        await removeRefused(db, event, acting);
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error;
        say(context, `${event.type} ${event.id}: ${error.message}`);
        failed += 1;
      }
    }
    say(context, `${target ? 'Sent' : 'Dropped'}: ${countOf(events.length - failed, 'event')}.`);
    const missing = all ? 0 : ids.length - events.length;
    if (failed > 0) throw new CommandError(`${countOf(failed, 'event')} stayed.`);
    if (missing > 0) throw new CommandError(`${countOf(missing, 'other id')} named no refused event.`);
  });
}
