import type { BudgetStore } from './rate-limit-store.ts';

/** How many budgets are kept; beyond, those whose windows began first are forgotten. */
const MAX_BUDGETS = 10_000;

/**
 * Keeps budgets in the memory of the process, for calls that must not write.
 * @param now the time, in milliseconds since 1970
 */
export function createMemoryBudgetStore(now: () => number = () => Date.now()): BudgetStore {
  /** In the order in which their windows began. */
  const budgets = new Map<string, { spent: number; resetsAt: number }>();

  return {
    async spend(name, limit, window) {
      const time = now();
      let budget = budgets.get(name);
      if (!budget || budget.resetsAt <= time) {
        budgets.delete(name);
        budget = { spent: 0, resetsAt: time + window };
        budgets.set(name, budget);
        const [oldest = name] = budgets.keys();
        if (budgets.size > MAX_BUDGETS) budgets.delete(oldest);
      }
      budget.spent = Math.min(budget.spent, limit) + 1;
      return { spent: budget.spent, resetsIn: budget.resetsAt - time };
    },
  };
}
