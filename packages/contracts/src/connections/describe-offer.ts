import { countOf } from '../format.ts';
import type { CardFacts, Offer, ToolsChange } from './offer.ts';

/** Most tools, or skills of a card, that pages show. */
export const MAX_SHOWN_TOOLS = 30;
/** Most tools that are named in a sentence. */
const MAX_NAMED = 10;

/** Says how many tools an MCP server has; undefined for what is none. */
export function describeCount({ count, isMore }: Pick<Offer, 'count' | 'isMore'>): string | undefined {
  if (count === undefined) return undefined;
  if (!isMore) return countOf(count, 'tool');
  return count === 0 ? 'more tools than are read' : `more than ${countOf(count, 'tool')}`;
}

/**
 * Says what changed of tools.
 * @example describeToolsChange(change) // 'added create_invoice; removed pay'
 */
export function describeToolsChange({ added, removed, changed, isRestless }: ToolsChange): string {
  if (isRestless) return 'they change with every answer';
  const parts = { added, removed, 'defined differently': changed };
  return Object.entries(parts)
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => {
      const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
      return `${what} ${names.slice(0, MAX_NAMED).join(', ')}${more}`;
    })
    .join('; ');
}

/** Says whose key signed an agent card; undefined for one without a signature. */
export function describeSignature({ signature, signedBy }: CardFacts): string | undefined {
  if (signature === undefined) return undefined;
  return signature === 'verified' ? `signed by ${signedBy}` : 'signature not verified';
}
