import {
  agentSchema,
  claimRequestSchema,
  createAgentUpdateSchema,
  createRegistrationSchema,
  endpoints,
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKeySchema,
  managementKeySchema,
  NO_WEBSITE_CHECKS,
  ownAgentRequestSchema,
  REGISTRATION_CLOSED,
  websiteChallengeSchema,
  type Category,
  type NewAgent,
} from '@agent-registry/contracts';
import { inTime } from '../database-error.ts';
import { parseRequest, RegistryError } from '../registry-error.ts';
import { procedureFor, router, type Context } from '../trpc.ts';
import type { SignedClaim } from '../website-check/website-claims.ts';
import type { EditReview, Authority } from './owner-changes.ts';
import { type OwnedVersion, type Refusal, hashKey, toEtagHeader } from './find-owned.ts';
import type { Registered } from './registrations.ts';
import { getAgent, orRefuse, toRefusalError } from './get-agent.ts';

export function createOwnerRouter(categories: readonly Category[]) {
  return router({
    register: procedureFor('agents.register')
      // Before the input is parsed.
      .use(({ ctx, next }) => {
        if (ctx.registration !== 'closed') return next();
        throw new RegistryError('unavailable', REGISTRATION_CLOSED);
      })
      .input(createRegistrationSchema(categories))
      .output(agentSchema)
      .mutation(async ({ ctx, input }) => {
        const { agent, isHeld, limits } = await register(ctx, input);
        Object.assign(ctx.response, { isHeld, limits });
        if (!isHeld) ctx.response.location = endpoints['agents.get'].path.replace('{id}', agent.id);
        return agent;
      }),

    update: procedureFor('agents.update')
      .input(createAgentUpdateSchema(categories))
      .output(agentSchema)
      .mutation(({ ctx, input: { id, ...patch } }) =>
        change(ctx, id, (authority) => ctx.agents.update(id, authority, patch, toReview(ctx))),
      ),

    takeBack: procedureFor('agents.takeBack')
      .input(ownAgentRequestSchema)
      .output(agentSchema)
      .mutation(({ ctx, input: { id } }) => change(ctx, id, (authority) => ctx.agents.takeBack(id, authority))),

    withdraw: procedureFor('agents.withdraw')
      .input(ownAgentRequestSchema)
      .output(agentSchema)
      .mutation(({ ctx, input: { id } }) => change(ctx, id, (authority) => ctx.agents.withdraw(id, authority))),

    replaceKey: procedureFor('agents.replaceKey')
      .input(ownAgentRequestSchema)
      .output(agentSchema)
      .mutation(async ({ ctx, input: { id } }) => {
        const newKey = parseRequest(managementKeySchema, ctx.newKey ?? '');
        return change(ctx, id, (authority) => ctx.agents.replaceKey(id, authority, newKey));
      }),

    challenge: procedureFor('agents.challenge')
      .input(ownAgentRequestSchema)
      .output(websiteChallengeSchema)
      .mutation(async ({ ctx, input: { id } }) => {
        const { claims, newKey, agent } = await beginClaim(ctx, id);
        return claims.createChallenge(agent, hashKey(newKey), await ctx.publications.domainOf(id));
      }),

    claim: procedureFor('agents.claim')
      .input(claimRequestSchema)
      .output(agentSchema)
      .mutation(async ({ ctx, input: { id, ...signed } }) => {
        const { claims, newKey, agent } = await beginClaim(ctx, id);
        const { address, origin, key } = ctx;
        const isOwner = key !== undefined && typeof (await ctx.agents.findOwned(id, key)) !== 'string';
        const claimant = { keyHash: hashKey(newKey), address, isOwner, origin };
        const proof = isSigned(signed)
          ? await claims.checkKey(agent, claimant, signed, await ctx.publications.domainOf(id))
          : await claims.check(agent, claimant);
        const claimed = await ctx.agents.claim(id, proof, newKey);
        if (!claimed) throw toRefusalError('unexpected');
        return claimed;
      }),
  });
}

async function register(ctx: Context, newAgent: NewAgent): Promise<Registered> {
  const { agents, idempotencyKey, newKey } = ctx;
  // A write that has begun is not given up, so that a database that does not answer is found before.
  if (ctx.prepared) await inTime(Promise.resolve(agents.version()), ctx.deadline);
  const key = newKey === undefined ? undefined : parseRequest(managementKeySchema, newKey);
  const options = { key, isHeld: ctx.registration === 'held', prepared: ctx.prepared };
  if (idempotencyKey === undefined) return agents.register(newAgent, options);
  const registered = await agents.registerOnce(parseRequest(idempotencyKeySchema, idempotencyKey), newAgent, options);
  if (registered) return registered;
  throw new RegistryError(
    'unprocessable',
    `This ${IDEMPOTENCY_KEY_HEADER} came with another registration or management key before; each registration needs a key of its own`,
  );
}

/** Whether a claim is one by the key of a domain, which has all fields. */
function isSigned(claim: Partial<SignedClaim>): claim is SignedClaim {
  const count = Object.keys(claim).length;
  if (count === 0 || count === 4) return count === 4;
  throw new RegistryError('invalid', 'A claim by a key needs domain, method, challenge and signature');
}

function toReview({ registration, heldEditsExcept }: Context): EditReview | undefined {
  return registration === 'held' ? { except: heldEditsExcept } : undefined;
}

/** Reads what both steps of a claim by way of a website need. */
async function beginClaim({ agents, websiteClaims: claims, newKey }: Context, id: string) {
  if (!claims) throw new RegistryError('forbidden', NO_WEBSITE_CHECKS);
  const key = parseRequest(managementKeySchema, newKey ?? '');
  return { claims, newKey: key, agent: await getAgent(agents, id) };
}

/** Changes an agent on behalf of the sender of a request; the response has the new ETag. */
async function change(ctx: Context, id: string, write: (authority: Authority) => Promise<OwnedVersion | Refusal>) {
  const { key, expected } = ctx;
  const { agent, isHeld } = await orRefuse(ctx, id, await write({ key, expected }));
  Object.assign(ctx.response, { isHeld, etag: toEtagHeader(agent) });
  return agent;
}
