import { createAgentUpdateSchema, createNewAgentSchema, editableFields } from '@agent-registry/contracts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { readActing, type ActingOptions } from './acting.ts';
import { CommandError, parseId, readCategories, withDatabase, type CommandContext } from './command.ts';
import { changeSelected, reportChange, type ChangeOptions } from './change-selected.ts';

/** Changes fields of an agent, in whatever state it is. */
export async function edit(
  context: CommandContext,
  idText: string,
  settings: readonly string[],
  options: ActingOptions,
): Promise<void> {
  const acting = readActing('edit', options);
  const id = parseId(idText);
  const fields = Object.fromEntries(settings.map(parseSetting));
  const selection = { ids: new Set([id]) };
  await withDatabase(context, async ({ engine }) => {
    const { data, error } = createAgentUpdateSchema(engine.categories).safeParse({ id, ...fields });
    if (error) throw new CommandError(`${error.issues[0]?.message ?? 'The values are invalid'}.`);
    const { id: _, ...patch } = data;
    const edited = await createKyselyOperatorStore(engine, acting).edit(selection, patch);
    reportChange(context, 'Changed', edited, selection);
  });
}

/** Moves the selected agents, in whatever state they are, to a category. */
export async function move(
  context: CommandContext,
  ids: readonly string[],
  { category, from, ...options }: ChangeOptions & { category: string; from?: string },
): Promise<void> {
  const schema = createNewAgentSchema(readCategories(context.loadConfig())).shape.category;
  const { data, error } = schema.safeParse(category);
  if (error) throw new CommandError(`${error.issues[0]?.message}.`);
  const selected = { ...options, category: from };
  return changeSelected(context, ids, selected, {
    command: 'move',
    run: async (store, selection) => ({ agents: await store.edit(selection, { category: data }) }),
  });
}

/** Parses `field=value`; the value is JSON where it reads as a list or null. */
function parseSetting(setting: string): [field: string, value: unknown] {
  const [, field = '', text = ''] = /^([^=]+)=([\s\S]*)$/.exec(setting) ?? [];
  if (!(editableFields as string[]).includes(field)) {
    throw new CommandError(`Write field=value, with one of these fields: ${editableFields.join(', ')}.`);
  }
  if (text !== 'null' && !text.startsWith('[')) return [field, text];
  try {
    return [field, JSON.parse(text)];
  } catch (cause) {
    throw new CommandError(`The value of ${field} is no JSON.`, { cause });
  }
}
