import { z } from 'zod';

/** The media type of a problem (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** What is wrong with one field of a request. */
const fieldErrorSchema = z.object({
  field: z
    .string()
    .meta({ description: 'The field, such as name or capabilities.3; empty for the request as a whole.' }),
  message: z.string(),
});

/** What is wrong with one field of a request. */
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** The one error body: the problem details of RFC 9457, with the field errors of a 400 where fields are known. */
export const problemSchema = z.object({
  type: z.literal('about:blank'),
  title: z.string().meta({ description: 'The name of the status, such as Not Found.' }),
  status: z.int(),
  detail: z.string().meta({ description: 'One sentence a person can read.' }),
  errors: z.array(fieldErrorSchema).optional(),
});

/** The one error body. */
export type Problem = z.infer<typeof problemSchema>;
