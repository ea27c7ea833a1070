/** Stores the views of agents by UTC day. */
export type ViewStore = {
  /** Sums the views from a day on. */
  sum(fromDay: string): Promise<number>;
  /** Adds views to their days in one transaction. */
  add(viewsByDay: ReadonlyMap<string, number>): Promise<void>;
};
