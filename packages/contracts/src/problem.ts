import { z } from 'zod';

/** The media type of a problem (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** An error in one field of a request. */
const fieldErrorSchema = z.object({
  field: z
    .string()
    .meta({ description: 'The field, such as name or capabilities.3; empty for the request as a whole.' }),
  message: z.string(),
});

/** An error in one field of a request. */
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** The JSON error body: problem details (RFC 9457), with field errors for an invalid input. */
export const problemSchema = z.object({
  type: z.literal('about:blank'),
  title: z.string().meta({ description: 'The name of the status, such as Not Found.' }),
  status: z.int(),
  detail: z.string().meta({ description: 'One sentence a person can read.' }),
  errors: z.array(fieldErrorSchema).optional(),
});

/** The JSON error body. */
export type Problem = z.infer<typeof problemSchema>;
