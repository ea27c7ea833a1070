// Each module with schemas stands apart from what the first view of a page needs, which is to do without zod.
export * from './agent.ts';
export * from './agent-fields.ts';
export * from './brand.ts';
export * from './category.ts';
export * from './category-schema.ts';
export * from './constants.ts';
export * from './endpoints.ts';
export * from './format-count.ts';
export * from './page-paths.ts';
export * from './search-text.ts';
export * from './new-agent.ts';
export * from './problem.ts';
export * from './request-limits.ts';
export * from './requests.ts';
export * from './stats.ts';
