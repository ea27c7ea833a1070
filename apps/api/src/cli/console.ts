import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readActor } from '../actions/acting.ts';
import { consoleDir } from '../config.ts';
import { openConsole } from '../console/open-console.ts';
import { readSiteConfig } from '../site-config.ts';
import { CommandError, say, toTerminalText, withDatabase, type CommandContext } from './command.ts';

/**
 * Opens the console on loopback until a signal ends it, or nobody has used it for half an hour.
 * @throws {CommandError} when the port is invalid or taken, or the page is not built.
 */
export async function openConsoleUntilEnd(
  context: CommandContext,
  { port: portText = '0', by }: { port?: string; by?: string },
): Promise<void> {
  const actor = readActor(by);
  const port = parsePort(portText);
  if (!existsSync(join(consoleDir, 'index.html'))) {
    throw new CommandError(`The console is not built: ${consoleDir} has no index.html. Run npx -y pnpm@12 build.`);
  }
  await withDatabase(context, async ({ engine }, { SITE_CONFIG }) => {
    const { name, categories } = readSiteConfig(SITE_CONFIG).config;
    const console = await openConsole({
      context: { engine, by: actor, site: { name, categories } },
      consoleDir,
      port,
      onError: ({ message }) => void context.stderr.write(`${toTerminalText(message)}\n`),
    }).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') throw cause;
      throw new CommandError(`Another program uses port ${port}. Without --port the console takes a free one.`, {
        cause,
      });
    });
    const end = () => void console.close();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
    say(context, `Console: ${console.url}`);
    say(
      context,
      `From another machine: ssh -L ${console.port}:127.0.0.1:${console.port} <host>, then open that address.`,
    );
    say(context, 'It acts for whoever has this address. It ends with Ctrl+C, or 30 minutes after its last use.');
    await console.ended;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end);
    say(context, 'The console has ended.');
  });
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new CommandError('--port must be a whole number from 0 to 65535.');
  return port;
}
