/** Where views of agents are kept, counted by UTC day. */
export type ViewStore = {
  /** How many views there were from this day on. */
  sum(fromDay: string): Promise<number>;
  /** Adds views to their days, all or none. */
  add(viewsByDay: ReadonlyMap<string, number>): Promise<void>;
};
