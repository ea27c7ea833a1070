import { z } from 'zod';
import { doc, timeDoc } from './doc.ts';
import { checkResults } from './connections/connection-check.ts';
import { offerFactsSchema } from './connections/offer.ts';

/** The fewest views of a month that everybody sees: fewer could tell who looked. */
export const MIN_SHOWN_VIEWS = 5;
/** Days over which the views of a month are counted, today included. */
export const MONTH_DAYS = 30;
const views = z.int().min(0);

const dayViewsSchema = z
  .object({
    day: z.string().meta(doc('The day in UTC.', '2026-11-21', 'date')),
    views: views.meta(doc('The views of that day.', 2)),
  })
  .meta({ id: 'DayViews', description: 'The views of an agent on a day.' });

const entrySourceSchema = z
  .object({
    attribution: z.string().meta(doc('The name of the source.', 'MCP Registry')),
    licence: z.string().meta(doc('The licence of its texts.', 'CC0-1.0')),
    day: z.string().meta(doc('The day in UTC on which they were taken over last.', '2026-11-21', 'date')),
    deprecated: z
      .string()
      .optional()
      .meta(doc('What the source says of an entry that it deprecates; absent for others.', '')),
  })
  .meta({ id: 'EntrySource', description: 'A source from which an entry was imported.' });

export type EntrySource = z.infer<typeof entrySourceSchema>;

const namedEntrySchema = z
  .object({
    shares: z.enum(['website', 'connection']).meta(doc('What both entries have.', 'website')),
    id: z.string().meta(doc('Its id.', '3f2b8c1e-0000-4000-8000-000000000000', 'uuid')),
    name: z.string().meta(doc('Its name.', 'Tides')),
  })
  .meta({ id: 'NamedEntry', description: 'Another entry, and what it has in common.' });

export type NamedEntry = z.infer<typeof namedEntrySchema>;

const connectionFactsSchema = z
  .object({
    address: z.string().meta(doc('The kind and address of the connection.', 'mcp https://example.com/mcp')),
    result: z.enum(checkResults).meta(doc('What became of the check.', 'answered')),
    tools: z.int().nullable().meta(doc('The number of tools of an MCP server; null if it did not tell them.', 12)),
    reason: z
      .string()
      .meta(doc('Why it did not answer as it should, or where it is now, for the owner; empty for others.', '')),
    checkedAt: z.string().meta(timeDoc('When it was checked.')),
  })
  .meta({ id: 'ConnectionFacts', description: 'What a connection answered when the registry asked it.' });

const serverFactsSchema = z
  .object({
    name: z.string().meta(doc('Its name.', 'com.example/high-tides')),
    version: z.string().meta(doc('Its version.', '0.20261126.181500')),
    refusal: z
      .string()
      .optional()
      .meta(doc('Why it has not the name that its owner chose; only for the owner.', 'com.example/tides is reserved')),
    deprecated: z
      .string()
      .optional()
      .meta(doc('What its publisher says of a server that is deprecated; absent for others.', '')),
    left: z
      .array(z.string())
      .meta(
        doc('What of the description by its source is not given, and why.', [
          'icons[0]: it has an address that is not public',
        ]),
      ),
  })
  .meta({ id: 'ServerFacts', description: 'An agent as an MCP server at /v0.1.' });

export type ConnectionFacts = z.infer<typeof connectionFactsSchema>;

/** What the registry itself knows of an entry. It is up to an hour old, except for its owner. */
export const entryFactsSchema = z
  .object({
    monthlyViews: views
      .nullable()
      .meta(
        doc(
          `How often the agent was read in the last ${MONTH_DAYS} days, without crawlers; null below ${MIN_SHOWN_VIEWS}, except for its owner.`,
          42,
        ),
      ),
    viewsByDay: z
      .array(dayViewsSchema)
      .optional()
      .meta(
        doc('The views of each of these days in UTC, oldest first; only for the owner.', [
          { day: '2026-11-21', views: 2 },
        ]),
      ),
    sources: z
      .array(entrySourceSchema)
      .optional()
      .meta(
        doc(
          'From where an entry that nobody has claimed was imported, the origin of its texts first; absent for other entries.',
          [{ attribution: 'MCP Registry', licence: 'CC0-1.0', day: '2026-11-21' }],
        ),
      ),
    besides: z
      .array(namedEntrySchema)
      .optional()
      .meta(
        doc(
          'Earlier entries with one of the connections, which were imported or have a proof; then entries with the same website, of which an import brought the one and somebody registered the other. Absent if there are none.',
          [{ shares: 'website', id: '3f2b8c1e-0000-4000-8000-000000000000', name: 'Tides' }],
        ),
      ),
    connectionsChangedAt: z
      .string()
      .optional()
      .meta(timeDoc(`When its connections changed last; absent if that was more than ${MONTH_DAYS} days ago.`)),
    connectionsHash: z
      .string()
      .optional()
      .meta(
        doc(
          'The first 16 hexadecimal digits of the SHA-256 of its connections as JSON by RFC 8785; absent without connections.',
          '6f1c0b8e5a3d9274',
        ),
      ),
    connections: z
      .array(connectionFactsSchema)
      .optional()
      .describe('What its connections answered last; absent where the registry does not ask them.'),
    offers: z
      .array(offerFactsSchema)
      .optional()
      .describe('What its connections offer, as the registry read it last; absent where it did not.'),
    server: serverFactsSchema
      .optional()
      .describe('The MCP server that it is at /v0.1; absent for an agent that is none.'),
  })
  .meta({ id: 'EntryFacts', description: 'What the registry itself knows of an entry.' });

export type EntryFacts = z.infer<typeof entryFactsSchema>;
