import { toObject } from '../prefill/description.ts';
import { toId, type SourceFormat, type SourceItem } from './source-page.ts';

/** A file of agents, one a line, named by their id or else by their website. */
export const ndjsonFile: SourceFormat = {
  accept: 'application/x-ndjson, application/jsonl, */*;q=0.5',
  toUrl: ({ address }) => new URL(address),
  read(text) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return { items: lines.map(toItem), mark: null };
  },
};

function toItem(line: string): SourceItem {
  const fields = toObject(parse(line));
  return { id: toId(fields.id) ?? toId(fields.website), isRemoved: false, fields };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
