import {
  fields,
  isProved,
  sentenceFields,
  toManagePath,
  type Agent,
  type ManageAction,
  type WebsiteName,
} from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { OwnAgent } from '../../components/owner-keys.ts';
import { useWebsiteName } from '../../lib/site.ts';
import classes from './OwnEntry.module.css';
import { OwnViews } from './OwnViews.tsx';

/** Fewest characters of a description that says enough. */
const ENOUGH_TEXT = 80;
/** Fewest capabilities with which an agent is well found. */
const ENOUGH_CAPABILITIES = 3;

/** What helps an entry, done or to do, and the form for it: by default that of an edit; null for none. */
type Step = { isDone: boolean; done: string; todo: string; why: string; action?: ManageAction | null };

/** What the owner of an agent has done for its entry, what is left, and how often it was viewed. */
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
