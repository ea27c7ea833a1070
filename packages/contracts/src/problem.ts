import { z } from 'zod';

/** An error in one field of a request. */
const fieldErrorSchema = z.object({
  field: z.string().meta({
    description: 'The field, such as name or capabilities.3; empty for the request as a whole.',
    examples: ['name'],
  }),
  message: z.string().meta({ description: 'What is wrong with the field.', examples: ['Name is required'] }),
});

/** An error in one field of a request. */
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** The JSON error body: problem details (RFC 9457), with field errors for an invalid input. */
export const problemSchema = z
  .object({
    type: z.string().meta({ format: 'uri-reference', description: 'The kind of problem.', examples: ['about:blank'] }),
    title: z.string().meta({ description: 'The name of the status.', examples: ['Bad Request'] }),
    status: z
      .int()
      .min(400)
      .max(599)
      .meta({ description: 'The HTTP status.', examples: [400] }),
    detail: z.string().meta({ description: 'One sentence a person can read.', examples: ['Name is required.'] }),
    errors: z.array(fieldErrorSchema).optional().meta({ description: 'The invalid fields of a 400, at most twenty.' }),
  })
  .meta({ id: 'Problem', description: 'Problem details of an error (RFC 9457).' });

/** The JSON error body. */
export type Problem = z.infer<typeof problemSchema>;
