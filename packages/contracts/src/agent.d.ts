import { z } from 'zod';
/** Longest name of an agent, in characters. */
export declare const MAX_NAME_LENGTH = 100;
/** Longest description of an agent, in characters. */
export declare const MAX_DESCRIPTION_LENGTH = 2000;
/** Most capabilities of one agent. */
export declare const MAX_CAPABILITIES = 30;
/** Longest single capability, in characters. */
export declare const MAX_CAPABILITY_LENGTH = 60;
/** Longest contact address, in characters (RFC 5321). */
export declare const MAX_EMAIL_LENGTH = 254;
/** Longest website address, in characters. */
export declare const MAX_WEBSITE_LENGTH = 2048;
/** An entry of an option list: its value on the wire and its label on the page. */
export type Option<Value extends string> = {
    value: Value;
    label: string;
};
declare const pricingModelValues: readonly ['free', 'freemium', 'paid', 'enterprise'];
declare const apiAccessValues: readonly ['yes', 'no', 'planned'];
/** How an agent is paid for. */
export type PricingModel = (typeof pricingModelValues)[number];
/** Whether an agent can be called by programs. */
export type ApiAccess = (typeof apiAccessValues)[number];
/** The pricing models with their labels, in the order in which they are offered. */
export declare const pricingModels: readonly Option<PricingModel>[];
/** The kinds of API access with their labels, in the order in which they are offered. */
export declare const apiAccessOptions: readonly Option<ApiAccess>[];
/** What an owner may say of an agent when registering it; unknown fields are refused by name. */
export declare const newAgentSchema: z.ZodObject<{
    name: z.ZodString;
    description: z.ZodString;
    category: z.ZodEnum<{
        analytics: "analytics";
        automation: "automation";
        chatbot: "chatbot";
        creative: "creative";
        language: "language";
        vision: "vision";
    }>;
    capabilities: z.ZodDefault<z.ZodPipe<z.ZodArray<z.ZodString>, z.ZodTransform<string[], string[]>>>;
    contactEmail: z.ZodString;
    website: z.ZodDefault<z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string | null, string>>>>;
    pricingModel: z.ZodDefault<z.ZodEnum<{
        enterprise: "enterprise";
        free: "free";
        freemium: "freemium";
        paid: "paid";
    }>>;
    apiAccess: z.ZodDefault<z.ZodEnum<{
        no: "no";
        planned: "planned";
        yes: "yes";
    }>>;
}, z.core.$strict>;
/** A registration as it is stored: trimmed, with its defaults filled in. */
export type NewAgent = z.output<typeof newAgentSchema>;
/** A registration as it is sent: what has a default may be left out. */
export type NewAgentInput = z.input<typeof newAgentSchema>;
/** The id of an agent: a UUID, in lower case. */
export declare const agentIdSchema: z.ZodUUID;
/** An agent as everybody sees it. `rating` has one decimal, `createdAt` is ISO 8601 in UTC, `website` is null when not given. */
export declare const agentSchema: z.ZodObject<{
    id: z.ZodString;
    name: z.ZodString;
    description: z.ZodString;
    category: z.ZodEnum<{
        analytics: "analytics";
        automation: "automation";
        chatbot: "chatbot";
        creative: "creative";
        language: "language";
        vision: "vision";
    }>;
    capabilities: z.ZodArray<z.ZodString>;
    contactEmail: z.ZodString;
    website: z.ZodNullable<z.ZodString>;
    pricingModel: z.ZodEnum<{
        enterprise: "enterprise";
        free: "free";
        freemium: "freemium";
        paid: "paid";
    }>;
    apiAccess: z.ZodEnum<{
        no: "no";
        planned: "planned";
        yes: "yes";
    }>;
    rating: z.ZodNumber;
    reviewCount: z.ZodInt;
    createdAt: z.ZodString;
}, z.core.$strip>;
/** An agent as everybody sees it. */
export type Agent = z.infer<typeof agentSchema>;
export {};
