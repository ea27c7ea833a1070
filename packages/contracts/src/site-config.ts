import { defaultCategories, type Category } from './category.ts';

export const BRAND = 'Agent Registry';
export const BRAND_COLOUR = '#0f7663';
/** The size of an Open Graph image, in pixels. */
export const OG_IMAGE_SIZE = { width: 1_200, height: 630 };

export type FooterLink = { label: string; url: string };

/** How a registry is branded; null stands for what the product has. */
export type SiteConfig = {
  /** Whether an operator's file sets it. */
  isCustom: boolean;
  name: string;
  tagline: string;
  /** The paragraph below the heading; null for none. */
  lead: string | null;
  summary: string;
  /** The names of the listed things, in link previews. */
  subject: string;
  /** The paragraph in the footer after the name. */
  about: string | null;
  colour: string;
  /** Mantine's ten shades of the brand colour, and the colours of links. */
  palette: { shades: readonly string[]; link: { light: string; dark: string } } | null;
  logo: string | null;
  footerLinks: readonly FooterLink[];
  copyright: string | null;
  /** Hosts whose pages belong to many people, besides those that the product knows. */
  sharedHosts: readonly string[];
  categories: readonly Category[];
};

export const defaultSiteConfig: SiteConfig = {
  isCustom: false,
  name: BRAND,
  tagline: 'Discover and register AI agents',
  lead: 'A comprehensive registry for AI agents, bots and automation tools. Find an AI solution or showcase your own.',
  summary: 'A public directory of AI agents, bots and automation tools.',
  subject: 'AI agents, bots and automation tools',
  about: null,
  colour: BRAND_COLOUR,
  palette: null,
  logo: null,
  footerLinks: [],
  copyright: null,
  sharedHosts: [],
  categories: defaultCategories,
};
