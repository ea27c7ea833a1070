import { createContext, use, type Context } from 'react';

/**
 * Makes a context and the hook that reads it, for what components cannot do without.
 * @param name what the hook says is missing where nothing above gives it
 */
export function createRequiredContext<Value>(name: string): [Context<Value | null>, () => Value] {
  const RequiredContext = createContext<Value | null>(null);
  return [
    RequiredContext,
    () => {
      const value = use(RequiredContext);
      if (value === null) throw new Error(`Nothing above gives ${name}.`);
      return value;
    },
  ];
}
