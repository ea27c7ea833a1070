/** Bounds in characters as people see them; apart from the fields, since the command of the client needs no more. */
export const textBounds = {
  name: { max: 100, isLine: true },
  description: { max: 2_000 },
  capabilities: { most: 30, bounds: { max: 60, isLine: true } },
  exampleTasks: { most: 5, bounds: { min: 10, max: 120, isLine: true } },
} as const;
