import { randomUUID } from 'node:crypto';
import { sendMessage, WebhookError } from '../webhook/send-message.ts';
import { CommandError, say, type CommandContext } from './command.ts';

/** Sends a test message to the webhook of the settings. */
export async function testWebhook(context: CommandContext): Promise<void> {
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
