// Compares the types of agents and filters of the client with the tables of the contract; --write writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  agentSchema,
  categoryIds,
  editableFields,
  fieldNames,
  filters,
  filterTexts,
  formatCount,
  newAgentSchema,
  rowOf,
  toValues,
  websiteProofs,
  type FieldName,
} from '../packages/contracts/src/index.ts';

const FILE = 'packages/client/src/agent-types.ts';

const text = `// Written from the tables of the contract: npx -y pnpm@12 client-types --write
import type { Connection, NewConnection } from './connection-types.ts';

/** The id of a category. These are the usual ones; the operator of a registry can set others. */
export type CategoryId = ${toUnion(categoryIds)} | (string & {});

/** An agent of the registry. */
export type Agent = {
${fieldNames.map((name) => toProperty(name, toMeaning(name), rowOf(name)?.isOptional === true, 'Connection')).join('\n')}
};

/** A registration. The registry trims texts and refuses unknown fields. */
export type NewAgentInput = {
${editableFields.map(toInput).join('\n')}
};

/** Filters of a list. */
export type AgentFilters = {
${filters
  .map((filter) => {
    const type = filter.kind === 'options' ? `readonly (${toUnion(toValues(filter))})[]` : 'string';
    return `  /** ${filterTexts[filter.name].description} */\n  ${filter.name}?: ${type} | undefined;`;
  })
  .join('\n')}
};
`;

const path = join(import.meta.dirname, '..', FILE);
if (readFileSync(path, 'utf8') !== text) {
  if (process.argv.includes('--write')) {
    writeFileSync(path, text);
  } else {
    console.error(`${FILE} differs from the contract. Run: npx -y pnpm@12 client-types --write`);
    process.exitCode = 1;
  }
}

function toMeaning(name: FieldName): string {
  return agentSchema.shape[name].meta()?.description ?? '';
}

function toInput(name: (typeof editableFields)[number]): string {
  const isOptional = newAgentSchema.shape[name].safeParse(undefined).success;
  const row = rowOf(name);
  const most = row && 'bounds' in row ? `at most ${formatCount(row.bounds.max)} characters` : '';
  const bound = row?.kind === 'texts' ? `at most ${row.most} texts of ${most}` : most;
  const text = bound === '' ? toMeaning(name) : `${toMeaning(name)} A registration may have ${bound}.`;
  return toProperty(name, text, isOptional, 'NewConnection');
}

function toProperty(name: FieldName, meaning: string, isOptional: boolean, connection: string): string {
  const type = toType(name, connection);
  return `  /** ${meaning} */\n  ${name}${isOptional ? `?: ${type} | undefined` : `: ${type}`};`;
}

function toType(name: FieldName, connection: string): string {
  const row = rowOf(name);
  switch (row?.kind) {
    case 'options':
      return toUnion(row.options.map(({ value }) => value));
    case 'texts':
      return 'string[]';
    case 'connections':
      return `${connection}[]`;
    case 'address':
      return 'string | null';
    case 'category':
      return 'CategoryId';
    case 'number':
      return 'number';
    case 'proof':
      return toUnion(websiteProofs);
    default:
      return 'string';
  }
}

function toUnion(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' | ');
}
