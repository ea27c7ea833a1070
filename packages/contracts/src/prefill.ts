import { z } from 'zod';
import { doc } from './doc.ts';
import { storedConnectionSchema } from './connections/documented-connection.ts';
import { describedFields, MAX_WEBSITE_LENGTH } from './fields.ts';
import { describeInvalidAgent } from './unknown-fields.ts';
import { isWebAddress } from './website.ts';

const WEB_ADDRESS = 'URL must be an http or https address without a user name, such as https://example.com';

/** The address of a website or of an agent card from which the form is filled in. */
export const prefillRequestSchema = z
  .strictObject(
    {
      url: z
        .string(WEB_ADDRESS)
        .trim()
        .max(MAX_WEBSITE_LENGTH, WEB_ADDRESS)
        .refine(isWebAddress, WEB_ADDRESS)
        .meta(
          doc('The address of a website or of an agent card. Scheme and port are not used.', 'https://example.com'),
        ),
    },
    { error: describeInvalidAgent },
  )
  .describe('What to fill in a registration from.');

const prefilledFieldSchema = z
  .object({
    field: z.enum(describedFields).meta(doc('The field.', 'name')),
    value: z
      .union([z.string(), z.array(z.string()), z.array(storedConnectionSchema)])
      .meta(doc('Its value; a list for some fields.', 'Front Desk')),
    source: z.string().meta(doc('Where it was found.', 'agent-card.json')),
  })
  .meta({ id: 'PrefilledField', description: 'A value for a field, and where it was found.' });

export const prefillSchema = z
  .object({
    fields: z.array(prefilledFieldSchema).describe('The values that were found, each valid for its field.'),
    category: z.string().nullable().meta(doc('The id of a category that may fit, or null.', 'chatbot')),
    left: z
      .array(z.string())
      .optional()
      .meta(
        doc('What was not taken of its ways to connect, and why; absent if all was.', [
          'remotes[1]: its url must not have a fragment (#)',
        ]),
      ),
    redirectsTo: z.string().nullable().meta(doc('Another host to which the address redirects, or null.', null)),
  })
  .meta({ id: 'Prefill', description: 'Values for the registration form, from descriptions on a website.' });

export type Prefill = z.infer<typeof prefillSchema>;
export type PrefilledField = Prefill['fields'][number];
