import {
  API_REFERENCE_PATH,
  FEED_PATH,
  JSON_FEED_PATH,
  OPENAPI_PATH,
  toFeedPath,
  type BrowseParams,
} from '@agent-registry/contracts';

/**
 * The `Link` header of the home page with a list (RFC 8288, RFC 8631): the API, and the feeds of the list. Those of a
 * search are in the page only: its text can be longer than all headers that a proxy accepts.
 */
export function toLinkHeader(list: BrowseParams): string {
  const isSearch = list.category === undefined && list.text !== '';
  const links = [
    [OPENAPI_PATH, 'service-desc', 'application/json'],
    [API_REFERENCE_PATH, 'service-doc', 'text/html'],
    ...(isSearch
      ? []
      : [
          [toFeedPath(FEED_PATH, list), 'alternate', 'application/atom+xml'],
          [toFeedPath(JSON_FEED_PATH, list), 'alternate', 'application/feed+json'],
        ]),
  ];
  return links.map(([path, relation, type]) => `<${path}>; rel="${relation}"; type="${type}"`).join(', ');
}
