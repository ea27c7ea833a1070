import { z } from 'zod';
/** The media type of a problem (RFC 9457). */
export declare const PROBLEM_MEDIA_TYPE = "application/problem+json";
/** What is wrong with one field of a request. */
export declare const fieldErrorSchema: z.ZodObject<{
    field: z.ZodString;
    message: z.ZodString;
}, z.core.$strip>;
/** What is wrong with one field of a request. */
export type FieldError = z.infer<typeof fieldErrorSchema>;
/** The one error body: the problem details of RFC 9457, with the field errors of a 400. */
export declare const problemSchema: z.ZodObject<{
    type: z.ZodLiteral<"about:blank">;
    title: z.ZodString;
    status: z.ZodInt;
    detail: z.ZodString;
    errors: z.ZodOptional<z.ZodArray<z.ZodObject<{
        field: z.ZodString;
        message: z.ZodString;
    }, z.core.$strip>>>;
}, z.core.$strip>;
/** The one error body. */
export type Problem = z.infer<typeof problemSchema>;
