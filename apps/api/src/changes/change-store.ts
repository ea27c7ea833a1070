import type { Change, ChangesCursor, HistoryEntry } from '@agent-registry/contracts';

/** A page of the change log. */
export type ChangePage = {
  changes: (Omit<Change, 'agent'> & { /** Its number in the log. */ number: number })[];
  /** The id of the log. */
  log: string;
  /** Whether more changes follow. */
  hasMore: boolean;
};

/** Reads the change log. */
export type ChangeStore = {
  /**
   * The agents that changed after a cursor, each with its latest change only, in the order of the changes; undefined when
   * the cursor is of another log, or when a removal after it was forgotten.
   * @param request without `after` from the first change
   */
  list(request: { after?: ChangesCursor | undefined; limit: number }): Promise<ChangePage | undefined>;
  /** The changes of an agent, latest first, as many as fit into `MAX_PAGE_BYTES` as JSON. */
  history(id: string): Promise<HistoryEntry[]>;
};
