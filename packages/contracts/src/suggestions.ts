import { z } from 'zod';
import { doc } from './doc.ts';
import { agentSchema } from './agent.ts';
import { defaultCategories } from './category.ts';

const [category] = defaultCategories;

export const suggestionsSchema = z
  .object({
    agents: z
      .array(
        agentSchema
          .pick({ id: true, name: true, category: true })
          .meta({ id: 'SuggestedAgent', description: 'An agent whose name has a word at which the text begins.' }),
      )
      .describe('Up to five agents: those whose names begin with the text come first.'),
    capabilities: z
      .array(z.string())
      .meta(doc('Up to three capabilities that begin with the text, frequent ones first.', ['call transcription'])),
    categories: z
      .array(
        z
          .object({
            id: z.string().meta(doc('The id of the category.', category?.id)),
            name: z.string().meta(doc('The name of the category.', category?.name)),
          })
          .meta({ id: 'SuggestedCategory', description: 'A category with a word at which the text begins.' }),
      )
      .describe('The categories whose names have a word at which the text begins.'),
  })
  .meta({ id: 'Suggestions', description: 'What begins with a text.' });

export type Suggestions = z.infer<typeof suggestionsSchema>;
