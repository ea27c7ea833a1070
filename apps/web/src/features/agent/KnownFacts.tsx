import { describeProof, type Agent } from '@agent-registry/contracts';
import { useId } from 'react';
import { describeDay } from '../../components/age.ts';
import { RelativeDay } from '../../components/RelativeDay.tsx';
import classes from './KnownFacts.module.css';

/** What the registry itself knows of an entry: no text of its owner, and never a score. */
export function KnownFacts({ agent }: { agent: Agent }) {
  const titleId = useId();
  const { updatedAt } = agent;
  return (
    <section aria-labelledby={titleId} className={classes.root}>
      <h2 id={titleId} className={classes.title}>
        What is known about this entry
      </h2>
      <ul className={classes.facts}>
        <ProofFact agent={agent} />
        {updatedAt === undefined ? (
          <li>Unchanged since it was added</li>
        ) : (
          <li>
            Updated <RelativeDay instant={updatedAt} />
          </li>
        )}
      </ul>
    </section>
  );
}

/** Whether the owner proved to control the website; nothing without a website. */
function ProofFact({ agent }: { agent: Agent }) {
  const { website, websiteCheckedAt } = agent;
  const proof = describeProof(agent);
  if (website === null) return null;
  if (proof === undefined || websiteCheckedAt === undefined) {
    return <li>Not claimed: nobody has proved to own {new URL(website).hostname} yet</li>;
  }
  return (
    <li data-proved>
      Owner proved {proof} on <time dateTime={websiteCheckedAt}>{describeDay(websiteCheckedAt)}</time>
    </li>
  );
}
