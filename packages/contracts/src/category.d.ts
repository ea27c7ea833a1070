import { z } from 'zod';
/** One of the six fixed categories: its id on the wire, its name and description on the page, its colour in the theme. */
export type Category = {
    id: CategoryId;
    name: string;
    colour: 'blue' | 'green' | 'purple' | 'orange' | 'red' | 'indigo';
    description: string;
};
/** The ids of the six categories, in the order in which they are shown. */
export declare const categoryIds: readonly ['chatbot', 'automation', 'analytics', 'creative', 'vision', 'language'];
/** An id of a category; the message of a wrong one names the six. */
export declare const categoryIdSchema: z.ZodEnum<{
    analytics: "analytics";
    automation: "automation";
    chatbot: "chatbot";
    creative: "creative";
    language: "language";
    vision: "vision";
}>;
/** An id of one of the six categories. */
export type CategoryId = (typeof categoryIds)[number];
/** The six categories, in the order in which they are shown. */
export declare const categories: readonly Category[];
/** The category with this id. */
export declare function getCategory(id: CategoryId): Category;
