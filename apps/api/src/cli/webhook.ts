import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { sendMessage, WebhookError } from '../webhook/webhook.ts';
import { CommandError, say, type CommandContext } from './command.ts';

/** Adds the command for the webhook. */
export function addWebhookCommands(program: Command, context: CommandContext): void {
  program
    .command('webhook')
    .description('for the webhook of WEBHOOK_URL')
    .command('test')
    .description('send it a test message and print its answer')
    .action(() => testWebhook(context));
}

async function testWebhook(context: CommandContext): Promise<void> {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secret } = context.loadConfig();
  if (url === undefined || secret === undefined) throw new CommandError('WEBHOOK_URL is not set.');
  const message = {
    id: `test_${randomUUID()}`,
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    data: {},
  } as const;
  try {
    say(context, `The webhook answered with status ${await sendMessage({ url, secret }, message)}.`);
  } catch (error) {
    if (error instanceof WebhookError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}
