/** The icons of categories, by their names in Tabler Icons. */
export const categoryIcons = [
  'message-chatbot',
  'settings-automation',
  'chart-histogram',
  'palette',
  'eye-search',
  'language',
  'box',
  'book',
  'building-bank',
  'calendar',
  'camera',
  'code',
  'database',
  'flask',
  'headset',
  'heartbeat',
  'home',
  'leaf',
  'mail',
  'map',
  'music',
  'news',
  'plane',
  'robot',
  'scale',
  'school',
  'shield-lock',
  'shopping-cart',
  'tools',
  'users',
] as const;

export type CategoryIconName = (typeof categoryIcons)[number];

export type Category = {
  id: CategoryId;
  name: string;
  icon: CategoryIconName;
  /** The hue of the agents' marks in degrees, and a lightness in percent on which white text has a contrast of 4.5 to 1. */
  hue: number;
  lightness: number;
  /** The colour of texts and icons on pages, in CSS. */
  colour: string;
  /** The colour of texts in Open Graph pictures. */
  pictureColour: string;
  description: string;
};

export const categoryIds = ['chatbot', 'automation', 'analytics', 'creative', 'vision', 'language'] as const;

/** A category id: one of the product's, or of the operator's. */
export type CategoryId = (typeof categoryIds)[number] | (string & {});

export const defaultCategories: readonly Category[] = [
  {
    id: 'chatbot',
    name: 'Chatbots & Conversational AI',
    icon: 'message-chatbot',
    hue: 222,
    lightness: 36,
    colour: 'var(--category-blue)',
    pictureColour: '#1971c2',
    description: 'Assistants that hold a conversation: customer support, help desks, companions and voice.',
  },
  {
    id: 'automation',
    name: 'Automation & Workflow',
    icon: 'settings-automation',
    hue: 152,
    lightness: 26,
    colour: 'var(--category-green)',
    pictureColour: '#2b8a3e',
    description: 'Agents that take over routine work: tasks, integrations, schedules and whole processes.',
  },
  {
    id: 'analytics',
    name: 'Analytics & Intelligence',
    icon: 'chart-histogram',
    hue: 280,
    lightness: 42,
    colour: 'var(--category-purple)',
    pictureColour: '#763bc4',
    description: 'Tools that read data for you: reports, forecasts, monitoring and business insight.',
  },
  {
    id: 'creative',
    name: 'Creative & Content',
    icon: 'palette',
    hue: 28,
    lightness: 29,
    colour: 'var(--category-orange)',
    pictureColour: '#d9480f',
    description: 'Help with making things: writing, images, music, video and design.',
  },
  {
    id: 'vision',
    name: 'Computer Vision',
    icon: 'eye-search',
    hue: 356,
    lightness: 42,
    colour: 'var(--category-red)',
    pictureColour: '#c92a2a',
    description: 'Systems that see: recognition, inspection, document scanning and video analysis.',
  },
  {
    id: 'language',
    name: 'Language Processing',
    icon: 'language',
    hue: 244,
    lightness: 48,
    colour: 'var(--category-indigo)',
    pictureColour: '#3b5bdb',
    description: 'Work on text and speech: translation, summaries, extraction and search.',
  },
];

export function listCategoryIds(categories: readonly Category[]): CategoryId[] {
  return categories.map(({ id }) => id);
}

export function isCategoryId(categories: readonly Category[], text: string | null): text is CategoryId {
  return categories.some(({ id }) => id === text);
}

/** Returns the category with this id; a neutral one if the operator removed it. */
export function getCategory(categories: readonly Category[], id: CategoryId): Category {
  return (
    categories.find((category) => category.id === id) ?? {
      id,
      name: id,
      icon: 'box',
      hue: 210,
      lightness: 30,
      colour: 'var(--muted-text)',
      pictureColour: '#55616e',
      description: '',
    }
  );
}
