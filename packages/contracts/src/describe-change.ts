import { apiAccessOptions, pricingModels } from './agent-fields.ts';
import { getCategory, type Category } from './category.ts';
import type { FieldChange, HistoryEntry } from './changes.ts';

const kinds: Record<HistoryEntry['change'], string> = {
  listed: 'Listed',
  updated: 'Changed',
  removed: 'Taken off the list',
};

const actors: Record<HistoryEntry['actor'], string> = {
  owner: ' by its owner',
  website: ' by its owner, by way of its website',
  operator: ' by the operator',
  import: ' by an import',
  anyone: '',
};

const labels: Record<string, string> = {
  pricingModel: 'pricing',
  apiAccess: 'API access',
  exampleTasks: 'example tasks',
  contactEmail: 'contact email',
  reviewCount: 'number of reviews',
  websiteCheckedAt: 'control of the website',
};

/**
 * Describes a change of an agent in a sentence.
 * @example 'Changed by its owner: pricing Free → Paid, description'
 */
export function describeChange({ change, actor, fields }: HistoryEntry, categories: readonly Category[]): string {
  const changed = fields.map((field) => describeFieldChange(field, categories)).join(', ');
  return kinds[change] + actors[actor] + (changed === '' ? '' : `: ${changed}`);
}

/** Describes the change of a field: its label, and both values where they are known. */
export function describeFieldChange({ field, from, to }: FieldChange, categories: readonly Category[]): string {
  const label = labels[field] ?? field;
  if (from === undefined || to === undefined) return label;
  return `${label} ${describeValue(field, from, categories)} → ${describeValue(field, to, categories)}`;
}

function describeValue(field: string, value: string | null, categories: readonly Category[]): string {
  if (value === null) return 'none';
  switch (field) {
    case 'category':
      return getCategory(categories, value).name;
    case 'pricingModel':
      return labelOf(pricingModels, value);
    case 'apiAccess':
      return labelOf(apiAccessOptions, value);
    default:
      return value;
  }
}

function labelOf(options: readonly { value: string; label: string }[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value;
}
