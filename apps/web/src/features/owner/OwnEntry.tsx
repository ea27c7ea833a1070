import type { RestContext } from '@agent-registry/client';
import {
  countOf,
  describeDay,
  describeShared,
  fields,
  isProved,
  sentenceFields,
  toManagePath,
  type Agent,
  type EntryFacts,
  type ManageAction,
  type WebsiteName,
} from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useApi } from '../../api/trpc.ts';
import { describeFailure } from '../../components/FormFailure.tsx';
import type { OwnAgent } from '../../components/owner-keys.ts';
import { useWebsiteName } from '../../lib/site.ts';
import classes from './OwnEntry.module.css';

const ENOUGH_TEXT = 80;
const ENOUGH_CAPABILITIES = 3;
const [WIDTH, HEIGHT] = [290, 60];
/** How thick the line is, so that its highest point is not cut. */
const STROKE = 2;
const MIN_CHARTED = 20;

/** What helps an entry, done or to do, and the form for it: by default that of an edit; null for none. */
type Step = { isDone: boolean; done: string; todo: string; why: string; action?: ManageAction | null };

export function OwnEntry({ agent, own }: { agent: Agent; own: OwnAgent }) {
  const steps = listSteps(agent, useWebsiteName(agent.website));
  const left = steps.filter(({ isDone }) => !isDone);
  return (
    <section aria-labelledby="own-title" className={classes.panel}>
      <h2 id="own-title" className={classes.title}>
        Your entry · {steps.length - left.length} of {steps.length}
      </h2>
      <ul className={classes.steps}>
        {steps.map(({ isDone, done, todo, why, action = 'edit' }) => (
          <li key={done} data-done={isDone || undefined}>
            <div>
              {isDone ? done : action ? <Link to={toManagePath(agent.id, action)}>{todo}</Link> : todo}
              <span className="visually-hidden">{isDone ? ' (done)' : ' (to do)'}</span>
              {!isDone && <p>{why}</p>}
            </div>
          </li>
        ))}
      </ul>
      <OwnViews own={own} />
      <Button component={Link} to={toManagePath(agent.id, 'withdraw')} rel="nofollow" variant="default" size="sm">
        Withdraw
      </Button>
    </section>
  );
}

function listSteps(agent: Agent, site: WebsiteName | undefined): Step[] {
  const { description, capabilities, connections = [] } = agent;
  return [
    {
      isDone: Array.from(description).length >= ENOUGH_TEXT,
      done: 'A description',
      todo: 'Say more in the description',
      why: 'Searches find the entry by its words.',
    },
    {
      isDone: capabilities.length >= ENOUGH_CAPABILITIES,
      done: 'Three capabilities',
      todo: 'Name three capabilities',
      why: 'The entry is then found by what the agent does.',
    },
    {
      isDone: connections.length > 0,
      done: 'How to connect',
      todo: 'Say how to connect',
      why: 'Visitors can then copy what their client needs.',
    },
    ...sentenceFields.map((name): Step => ({
      isDone: agent[name] !== undefined,
      done: fields[name].label,
      todo: `Add ${fields[name].label.toLowerCase()}`,
      why: 'They show what to ask of the agent.',
    })),
    toProofStep(agent, site),
  ];
}

function toProofStep(agent: Agent, site: WebsiteName | undefined): Step {
  const common = { isDone: isProved(agent), done: 'A proof of the website' };
  if (!site) {
    return { ...common, todo: 'Add a website', why: 'You can then prove that it is yours.' };
  }
  if (site.provable === undefined) {
    const why = 'List a website or a repository of your own to prove that it is yours.';
    return { ...common, todo: `Listed on ${site.name}`, why, action: null };
  }
  return {
    ...common,
    todo: `Prove ${site.provable}`,
    why: 'A tick then shows on every card. Your key stays valid.',
    action: 'key',
  };
}

/**
 * The views of an own agent, why its server has another name than the chosen one, and what its connections answered. Thirty
 * points of one series need no library.
 */
function OwnViews({ own: { id, key } }: { own: OwnAgent }) {
  const { client, queries } = useApi();
  const context = { key } satisfies RestContext;
  const queryClient = useQueryClient();
  const queryKey = ['facts of own agent', id, key];
  const { data } = useQuery({ queryKey, queryFn: () => client.agents.facts.query({ id }, { context }) });
  const check = useMutation({
    mutationFn: () => client.agents.checkConnections.mutate({ id }, { context }),
    onSuccess(facts) {
      queryClient.setQueryData(queryKey, facts);
      queryClient.setQueryData(queries.agents.facts.queryOptions({ id }).queryKey, facts);
    },
  });
  const days = data?.viewsByDay;
  const [first] = days ?? [];
  if (!days || !first) return null;
  const total = days.reduce((sum, { views }) => sum + views, 0);
  return (
    <div>
      {countOf(total, 'view')} since {describeDay(first.day, 'medium')}
      {total >= MIN_CHARTED && (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={classes.chart} aria-hidden>
          <polyline points={toPoints(days)} fill="none" stroke="currentColor" strokeWidth={STROKE} />
        </svg>
      )}
      {data.besides?.map((other) => (
        <p key={other.id} className={classes.status} dir="auto">
          {describeShared(other)} {other.name}
        </p>
      ))}
      {data.server?.refusal && <p className={classes.status}>MCP server name: {data.server.refusal}.</p>}
      {data.connections?.map(({ address, reason }) => (
        <p key={address} className={classes.status} dir="auto">
          {address}: {reason || 'it answers.'}
        </p>
      ))}
      {data.connections && (
        <Button variant="default" size="xs" mt="xs" loading={check.isPending} onClick={() => check.mutate()}>
          Check the connections again
        </Button>
      )}
      <p role="status" className={classes.status}>
        {check.isError && describeFailure(check.error)}
        {check.isSuccess && 'The connections were checked now.'}
      </p>
    </div>
  );
}

function toPoints(days: NonNullable<EntryFacts['viewsByDay']>): string {
  const highest = Math.max(1, ...days.map(({ views }) => views));
  return days
    .map(({ views }, index) => {
      const x = (index / (days.length - 1)) * WIDTH;
      const y = HEIGHT - STROKE - (views / highest) * (HEIGHT - 2 * STROKE);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
