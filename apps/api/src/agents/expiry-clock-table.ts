/** The last hourly time of the job that deletes what has expired: one row. It tells of the machine, and is in no backup. */
export type ExpiryClockTable = {
  name: 'expiry';
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  /** The hourly times in a row until then, at most 24. */
  hours: number;
};
