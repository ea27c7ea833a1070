import { z } from 'zod';
import { doc } from './doc.ts';

const fieldErrorSchema = z.object({
  field: z.string().meta(doc('The field, such as name or capabilities.3; empty for the request as a whole.', 'name')),
  message: z.string().meta(doc('What is wrong with the field.', 'Name is required')),
});

export type FieldError = z.infer<typeof fieldErrorSchema>;

/** The JSON error body: problem details (RFC 9457), with field errors for an invalid input. */
export const problemSchema = z
  .object({
    type: z.string().meta(doc('The kind of problem.', 'about:blank', 'uri-reference')),
    title: z.string().meta(doc('The name of the status.', 'Bad Request')),
    status: z.int().min(400).max(599).meta(doc('The HTTP status.', 400)),
    detail: z.string().meta(doc('One sentence a person can read.', 'Name is required.')),
    errors: z.array(fieldErrorSchema).optional().describe('The invalid fields of a 400, at most twenty.'),
  })
  .meta({ id: 'Problem', description: 'Problem details of an error (RFC 9457).' });

export type Problem = z.infer<typeof problemSchema>;
