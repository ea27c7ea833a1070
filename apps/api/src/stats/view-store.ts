/** The views of a UTC day, such as `2026-11-21`. */
export type DayViews = { day: string; views: number };

/** The views of an agent on a day. */
export type AgentViews = DayViews & { agentId: string };

/** Stores the views of agents by UTC day: numbers only, nothing of who looked. */
export type ViewStore = {
  /** Sums the views of all agents from a day on. */
  sum(fromDay: string): Promise<number>;
  /** The views of an agent from a day on; days without views are left out. */
  ofAgent(id: string, fromDay: string): Promise<DayViews[]>;
  /** Adds views to their days, and to the days of listed agents, in one transaction. */
  add(viewsByDay: ReadonlyMap<string, number>, agentViews?: readonly AgentViews[]): Promise<void>;
};
