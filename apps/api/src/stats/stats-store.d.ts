/** Where the figures that are counted over time are kept. */
export type StatsStore = {
  /** How many agents there are. */
  countAgents(): Promise<number>;
  /** How many views were counted from this UTC day on. */
  sumViews(fromDay: string): Promise<number>;
  /** Adds counted views to their UTC days, all or none. */
  addViews(viewsByDay: ReadonlyMap<string, number>): Promise<void>;
};
