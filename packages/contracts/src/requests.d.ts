import { z } from 'zod';
/** Most agents in one page of a list. */
export declare const MAX_PAGE_SIZE = 200;
/** Longest text of a search, in characters. */
export declare const MAX_SEARCH_LENGTH = 200;
/** What may be asked of the list: with neither field it is the whole list; `after` is the id of the last agent of the page before. */
export declare const listRequestSchema: z.ZodObject<{
    limit: z.ZodOptional<z.ZodCoercedNumber<number>>;
    after: z.ZodOptional<z.ZodUUID>;
}, z.core.$strip>;
/** Which category is asked for. */
export declare const categoryRequestSchema: z.ZodObject<{
    category: z.ZodEnum<{
        analytics: "analytics";
        automation: "automation";
        chatbot: "chatbot";
        creative: "creative";
        language: "language";
        vision: "vision";
    }>;
}, z.core.$strip>;
/** What is searched for: trimmed text of 1 to 200 characters. */
export declare const searchRequestSchema: z.ZodObject<{
    q: z.ZodString;
}, z.core.$strip>;
/** Which agent is asked for. */
export declare const agentRequestSchema: z.ZodObject<{
    id: z.ZodUUID;
}, z.core.$strip>;
