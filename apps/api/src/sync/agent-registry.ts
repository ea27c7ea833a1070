import { toObject, toText, type Json } from '../prefill/description.ts';
import { parsePage, toEndpoint } from './parse-page.ts';
import { SourceError } from './source-error.ts';
import { toId, type SourceFormat, type SourceItem } from './source-page.ts';

/** Changes of a page: few enough that agents of the greatest length fit into an answer. */
const PAGE_SIZE = 200;

/** The change log of a registry of this product, with the agents. */
export const agentRegistry: SourceFormat = {
  accept: 'application/json',

  toUrl(source, { cursor, since }) {
    const url = toEndpoint(source, '/api/changes');
    url.searchParams.set('include', 'agents');
    url.searchParams.set('limit', String(PAGE_SIZE));
    const after = cursor ?? since;
    if (after !== null) url.searchParams.set('after', after);
    return url;
  },

  read(text) {
    const { changes, next: nextValue, hasMore } = parsePage(text);
    const next = toText(nextValue);
    if (!Array.isArray(changes)) throw new SourceError('its answer has no list of changes');
    if (next === undefined) throw new SourceError('its answer has no cursor');
    return {
      items: changes.map((change) => toItem(toObject(change))),
      ...(hasMore === true && { next }),
      mark: next,
    };
  },
};

function toItem({ id, change, agent }: Json): SourceItem {
  return {
    id: toId(id),
    // Without the agent it was removed after the change.
    isRemoved: change === 'removed' || agent === undefined || agent === null,
    fields: toObject(agent),
  };
}
