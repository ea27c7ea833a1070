/** The key of the cache entry that says that an agent was withdrawn: a page's cached agent is null then. */
export function withdrawnKey(id: string) {
  return ['withdrawn', id] as const;
}
