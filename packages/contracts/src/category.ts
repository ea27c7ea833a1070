/** A category: its id on the wire, its name and description on the page, its colour in the theme. */
export type Category = {
  id: CategoryId;
  name: string;
  colour: 'blue' | 'green' | 'purple' | 'orange' | 'red' | 'indigo';
  description: string;
};

/** The category ids, in display order. */
export const categoryIds = ['chatbot', 'automation', 'analytics', 'creative', 'vision', 'language'] as const;

/** A category id. */
export type CategoryId = (typeof categoryIds)[number];

/** The six categories, in display order. */
export const categories: readonly Category[] = [
  {
    id: 'chatbot',
    name: 'Chatbots & Conversational AI',
    colour: 'blue',
    description: 'Assistants that hold a conversation: customer support, help desks, companions and voice.',
  },
  {
    id: 'automation',
    name: 'Automation & Workflow',
    colour: 'green',
    description: 'Agents that take over routine work: tasks, integrations, schedules and whole processes.',
  },
  {
    id: 'analytics',
    name: 'Analytics & Intelligence',
    colour: 'purple',
    description: 'Tools that read data for you: reports, forecasts, monitoring and business insight.',
  },
  {
    id: 'creative',
    name: 'Creative & Content',
    colour: 'orange',
    description: 'Help with making things: writing, images, music, video and design.',
  },
  {
    id: 'vision',
    name: 'Computer Vision',
    colour: 'red',
    description: 'Systems that see: recognition, inspection, document scanning and video analysis.',
  },
  {
    id: 'language',
    name: 'Language Processing',
    colour: 'indigo',
    description: 'Work on text and speech: translation, summaries, extraction and search.',
  },
];

/** Whether a text is a category id. */
export function isCategoryId(text: string | null): text is CategoryId {
  return categoryIds.some((id) => id === text);
}

const categoriesById = new Map(categories.map((category) => [category.id, category]));

/** Returns the category with this id. */
export function getCategory(id: CategoryId): Category {
  const category = categoriesById.get(id);
  if (!category) throw new Error(`There is no category ${id}.`);
  return category;
}
