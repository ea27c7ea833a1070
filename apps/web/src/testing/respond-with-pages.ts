import { parseCursor, toListCursor, type Agent, type SortOrder } from '@agent-registry/contracts';

/**
 * A fetch that responds to every list with these agents as the registry does: with a page if there is a limit, with 400
 * for an unknown cursor, else with all of them. It logs method and URL to `calls`.
 */
export function respondWithPages(agents: readonly Agent[], calls: string[] = []): typeof fetch {
  return async (input, init) => {
    calls.push(`${init?.method} ${input as string}`);
    const { searchParams } = new URL(input as string, 'http://localhost');
    const limit = searchParams.get('limit');
    if (limit === null) return new Response(JSON.stringify(agents));
    const after = searchParams.get('after');
    const start = agents.findIndex(({ id }) => id === parseCursor(after ?? '')?.id) + 1;
    if (after !== null && start === 0) return new Response('It is not in the list.', { status: 400 });
    const page = agents.slice(start, start + Number(limit));
    const headers = new Headers({ 'X-Total-Count': String(agents.length) });
    const last = page.at(-1);
    if (last && start + page.length < agents.length) {
      const list = { text: searchParams.get('q') ?? '', sort: (searchParams.get('sort') ?? undefined) as SortOrder };
      const next = toListCursor(list, last, start + page.length);
      headers.set('Link', `</the-next-page?after=${next}>; rel="next"`);
    }
    return new Response(JSON.stringify(page), { headers });
  };
}
