// Modules with schemas are apart from plain ones, so that the first view of the web app loads no zod.
export * from './agent.ts';
export * from './agent-fields.ts';
export * from './agent-mark.ts';
export * from './brand.ts';
export * from './category.ts';
export * from './category-schema.ts';
export * from './endpoints.ts';
export * from './facets.ts';
export * from './format-count.ts';
export * from './list-options.ts';
export * from './page-paths.ts';
export * from './search-text.ts';
export * from './new-agent.ts';
export * from './problem.ts';
export * from './request-limits.ts';
export * from './requests.ts';
export * from './stats.ts';
