/**
 * The bounds of the texts that files of others describe, in characters as people see them; `toMaxUnits` bounds what these
 * are made of. Apart from the fields, of which the command of the client needs nothing else.
 */
export const textBounds = {
  name: { max: 100, isLine: true },
  description: { max: 2_000 },
  capabilities: { most: 30, bounds: { max: 60, isLine: true } },
  exampleTasks: { most: 5, bounds: { min: 10, max: 120, isLine: true } },
} as const;
