import { labelsOfWays, type Connectable } from './connections/connection.ts';
import { labelOfValue, type ApiAccess, type PricingModel } from './fields.ts';

/** Describes the API of an agent in short: "API" or "API Planned"; undefined without one. */
export function describeApi(apiAccess: ApiAccess): string | undefined {
  if (apiAccess === 'no') return undefined;
  return apiAccess === 'yes' ? 'API' : labelOfValue('apiAccess', apiAccess);
}

/**
 * Lists price and API of an agent in short, the API only where there is one or will be, and the ways to connect.
 * @example listTerms(agent) // ['Free', 'API', 'MCP']
 */
export function listTerms(agent: Connectable & { pricingModel: PricingModel; apiAccess: ApiAccess }): string[] {
  const api = describeApi(agent.apiAccess);
  return [
    labelOfValue('pricingModel', agent.pricingModel),
    ...(api === undefined ? [] : [api]),
    ...labelsOfWays(agent),
  ];
}
