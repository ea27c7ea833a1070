import { createContext, use, type Context } from 'react';

/** Creates a context without a default value, and the hook that reads it; its error has the name. */
export function createRequiredContext<Value>(name: string): [Context<Value | null>, () => Value] {
  const RequiredContext = createContext<Value | null>(null);
  return [
    RequiredContext,
    () => {
      const value = use(RequiredContext);
      if (value === null) throw new Error(`${name} has no provider above this component.`);
      return value;
    },
  ];
}
