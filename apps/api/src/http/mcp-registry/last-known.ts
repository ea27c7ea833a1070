/** How long an answer stands in for one that the database does not give, in milliseconds. */
const LIFETIME = 3_600_000;
/** The most characters of all answers together. */
const MAX_SIZE = 16_777_216;

/** The last answers of look-ups, for outages of the database: clients take an error for a server that is gone. */
export function createLastKnown(now: () => number = () => performance.now()) {
  const answers = new Map<string, { body: string; at: number }>();
  let size = 0;

  function remove(key: string): void {
    size -= answers.get(key)?.body.length ?? 0;
    answers.delete(key);
  }

  return {
    /** Keeps an answer in place of an older one; the oldest ones go. */
    keep(key: string, body: string): void {
      remove(key);
      answers.set(key, { body, at: now() });
      size += body.length;
      for (const [oldest] of answers) {
        if (size <= MAX_SIZE) break;
        remove(oldest);
      }
    },
    /** Forgets an answer, since the server is gone. */
    remove,
    /** The answer, unless it is older than an hour. */
    find(key: string): string | undefined {
      const answer = answers.get(key);
      return answer && now() - answer.at < LIFETIME ? answer.body : undefined;
    },
  };
}
