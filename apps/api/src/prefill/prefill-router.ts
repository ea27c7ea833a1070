import {
  describedFields,
  hostOf,
  NO_PREFILL,
  prefillRequestSchema,
  prefillSchema,
  type Category,
  type PrefilledField,
} from '@agent-registry/contracts';
import { RegistryError } from '../registry-error.ts';
import { procedureFor, router } from '../trpc.ts';
import { toCheckedHost } from '../hosts.ts';
import { formats } from './formats.ts';
import type { ValidDescription } from './describe-file.ts';
import { suggestCategory, toValidWebsite } from './to-values.ts';

/** Creates the procedure that fills in the form from an address. Nothing is stored. */
export function createPrefillRouter(categories: readonly Category[]) {
  return router({
    read: procedureFor('prefill.read')
      .use(({ ctx, next }) => {
        if (ctx.readDescriptions) return next({ ctx: { readDescriptions: ctx.readDescriptions } });
        throw new RegistryError('forbidden', NO_PREFILL);
      })
      .input(prefillRequestSchema)
      .output(prefillSchema)
      .mutation(async ({ ctx, input: { url } }) => {
        const { descriptions, redirectsTo } = await ctx.readDescriptions(url, ctx);
        // A stranger names it: no address of the visitor's own network is suggested.
        const target = toValidWebsite(redirectsTo) ?? null;
        const candidate = toCheckedHost(target) === undefined ? null : target;
        // The address itself comes after the canonical one of the page. A file is no website.
        const { pathname, href, origin } = new URL(url);
        const website = pathname.endsWith('.json') ? `${origin}/` : href;
        const values = { website: toValidWebsite(website) };
        const own: ValidDescription = { kind: 'page', source: 'the address', values, topics: [], left: [] };
        const found = mergeDescriptions(descriptions);
        const fields = found.length > 0 ? mergeDescriptions([...descriptions, own]) : [];
        if (fields.length === 0 && candidate === null) {
          throw new RegistryError('unprocessable', `Nothing that describes an agent could be read at ${hostOf(url)}`);
        }
        const left = descriptions.flatMap((each) => each.left);
        const topics = descriptions.flatMap((each) => each.topics);
        const category = suggestCategory(categories, topics);
        return { fields, category, redirectsTo: candidate, ...(left.length > 0 && { left }) };
      }),
  });
}

/** Takes each field from its best source. */
function mergeDescriptions(descriptions: readonly ValidDescription[]): PrefilledField[] {
  const sorted = Object.keys(formats).flatMap((name) => descriptions.filter(({ kind }) => kind === name));
  return describedFields.flatMap((field) => {
    const best = sorted.find(({ values }) => values[field] !== undefined);
    return best ? [{ field, value: best.values[field] as PrefilledField['value'], source: best.source }] : [];
  });
}
