/**
 * Makes calls share their answers: while one is under way, all that come meanwhile wait for the next, which begins after
 * all of them have come. So each is answered with what was true after it was made, and no two run at a time.
 */
export function coalesce<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;

  function begin(): Promise<Result> {
    next = undefined;
    return call();
  }

  return () => {
    if (!next) last = next = last.then(begin, begin);
    return next;
  };
}
