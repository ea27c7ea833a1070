import type { Kysely } from 'kysely';
import { orderedText, rowNumberKey } from './column-types.ts';

export async function createOperatorActions(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  const rowNumber = rowNumberKey(engine);
  await db.schema
    .createTable('operator_actions')
    .addColumn('number', rowNumber)
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('command', 'text', (column) => column.notNull())
    .addColumn('agent_id', text)
    .addColumn('name', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('operator_actions_of_agent')
    .on('operator_actions')
    .columns(['agent_id', 'number'])
    .execute();
  await db.schema.createIndex('operator_actions_by_age').on('operator_actions').column('at').execute();
}
