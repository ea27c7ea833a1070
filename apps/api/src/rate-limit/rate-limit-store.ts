/** What is left of a budget after a call has taken its part. */
export type Spending = {
  /** How often it has been spent in its window; one more than the limit when nothing was left. */
  spent: number;
  /** When the window ends, in milliseconds from now. */
  resetsIn: number;
};

/** Where it is kept how much of each budget is spent. */
export type BudgetStore = {
  /**
   * Spends one of a budget of at most `limit` in a window, in milliseconds, that begins with the first; whatever else is
   * spent at the same time, never more than the limit. A budget is known by its name, of any length.
   */
  spend(name: string, limit: number, window: number): Promise<Spending>;
};
