import { z } from 'zod';
import { doc, timeDoc } from '../doc.ts';

/** Most tools of a connection that are kept. */
export const MAX_KEPT_TOOLS = 100;

const HASH = '6f1c0b8e5a3d92746f1c0b8e5a3d92746f1c0b8e5a3d92746f1c0b8e5a3d9274';
const name = z.string().meta(doc('Its name.', 'create_invoice'));
const names = (which: string) => z.array(z.string()).meta(doc(`The names of the tools that ${which}.`, []));

const toolSchema = z
  .object({
    name,
    title: z.string().optional().meta(doc('Its title.', 'Create invoice')),
    description: z.string().optional().meta(doc('The beginning of its description.', 'Writes an invoice.')),
    isReadOnly: z.boolean().optional().meta(doc('Whether it says that it changes nothing.', true)),
    isDestructive: z.boolean().optional().meta(doc('Whether it says that it may destroy something.', false)),
    hash: z
      .string()
      .meta(
        doc(
          'The SHA-256 of its name, title, description, inputSchema, outputSchema and annotations as JSON by RFC 8785.',
          HASH,
        ),
      ),
  })
  .meta({ id: 'Tool', description: 'A tool of an MCP server, in the words of the server.' });

export type Tool = z.infer<typeof toolSchema>;

const cardSchema = z
  .object({
    bindings: z.array(z.string()).meta(doc('Its protocol bindings with their versions.', ['JSONRPC 1.0'])),
    skills: z.array(z.string()).meta(doc('The names of its skills.', ['Translate'])),
    version: z.string().optional().meta(doc('The version of the agent.', '1.4.0')),
    signature: z
      .enum(['verified', 'not verified'])
      .optional()
      .meta(
        doc(
          'Whether a key of the host that the owner controls signed it; absent for one without a signature.',
          'verified',
        ),
      ),
    signedBy: z.string().optional().meta(doc('The host whose key signed it.', 'example.com')),
    deviations: z
      .array(z.string())
      .optional()
      .meta(doc('Where it deviates from A2A; only for the owner.', ['skills[0].tags must be a list of texts'])),
  })
  .meta({ id: 'CardFacts', description: 'An A2A agent card, in the words of the agent.' });

export type CardFacts = z.infer<typeof cardSchema>;

const count = z.int().min(0);

/** What a connection offers. */
export const offerSchema = z.object({
  count: count.optional().meta(doc('How many tools were read of an MCP server.', 12)),
  isMore: z.boolean().optional().meta(doc('Whether it has more tools than are read.', false)),
  hash: z
    .string()
    .optional()
    .meta(doc('The SHA-256 of the sorted hashes of all tools as JSON; absent if not all were read.', HASH)),
  tools: z.array(toolSchema).optional().describe(`Its first ${MAX_KEPT_TOOLS} tools by name.`),
  server: z
    .object({ name, version: z.string().meta(doc('Its version.', '1.4.0')) })
    .optional()
    .describe('What the server calls itself.'),
  protocol: z.string().optional().meta(doc('The version of the protocol.', '2025-11-25')),
  prompts: count.optional().meta(doc('How many prompts it has.', 2)),
  resources: count.optional().meta(doc('How many resources it has.', 0)),
  card: cardSchema.optional().describe('What an agent card says.'),
});

export type Offer = z.infer<typeof offerSchema>;

/** A change of the tools of a connection. */
export const toolsChangeSchema = z
  .object({
    connection: z.string().meta(doc('The kind and address of the connection.', 'mcp https://example.com/mcp')),
    hash: z.string().meta(doc('The hash of all tools since.', HASH)),
    added: names('it has since'),
    removed: names('it no longer has'),
    changed: names('it defines differently'),
    isRestless: z
      .boolean()
      .optional()
      .meta(doc('Whether they change with every answer, so that no more is said.', true)),
  })
  .meta({ id: 'ToolsChange', description: 'What changed of the tools of a connection.' });

export type ToolsChange = z.infer<typeof toolsChangeSchema>;

export const offerFactsSchema = offerSchema
  .extend({
    address: z.string().meta(doc('The kind and address of the connection.', 'mcp https://example.com/mcp')),
    readAt: z.string().meta(timeDoc('When it was read last.')),
    changed: toolsChangeSchema
      .extend({ at: z.string().meta(timeDoc('When that was seen.')) })
      .optional()
      .describe('The last change of its tools.'),
  })
  .meta({ id: 'OfferFacts', description: 'What a connection offers, as the registry read it.' });

export type OfferFacts = z.infer<typeof offerFactsSchema>;
