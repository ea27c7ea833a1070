export * from './agent.ts';
export * from './category.ts';
export * from './constants.ts';
export * from './endpoints.ts';
export * from './search-text.ts';
export * from './problem.ts';
export * from './requests.ts';
export * from './stats.ts';
