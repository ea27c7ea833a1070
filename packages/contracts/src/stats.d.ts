import { z } from 'zod';
/** The headline figures. `monthlyViews` counts the reads of agents over the last 30 days. */
export declare const statsSchema: z.ZodObject<{
    totalAgents: z.ZodInt;
    categories: z.ZodInt;
    monthlyViews: z.ZodInt;
}, z.core.$strip>;
/** The headline figures. */
export type Stats = z.infer<typeof statsSchema>;
