import { apiAccessOptions, pricingModels, type ApiAccess, type PricingModel } from './agent-fields.ts';

/** The fields of an agent with its price and its API. */
type AgentTerms = { pricingModel: PricingModel; apiAccess: ApiAccess };

/** Returns the label of a pricing model, such as "Free". */
export function describePrice(pricingModel: PricingModel): string {
  return pricingModels.find(({ value }) => value === pricingModel)?.label ?? pricingModel;
}

/** Describes the API of an agent in short: "API" or "API Planned"; undefined without one. */
export function describeApi(apiAccess: ApiAccess): string | undefined {
  if (apiAccess === 'no') return undefined;
  return apiAccess === 'yes' ? 'API' : apiAccessOptions.find(({ value }) => value === apiAccess)?.label;
}

/**
 * Lists price and API of an agent in short; the API only where there is one or will be.
 * @example listTerms(agent) // ['Free', 'API']
 */
export function listTerms({ pricingModel, apiAccess }: AgentTerms): string[] {
  const api = describeApi(apiAccess);
  return [describePrice(pricingModel), ...(api === undefined ? [] : [api])];
}
