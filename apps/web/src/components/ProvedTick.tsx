import { describeProof, type ListedAgent } from '@agent-registry/contracts';
import classes from './ProvedTick.module.css';

export function ProvedTick({ agent }: { agent: ListedAgent }) {
  const proof = describeProof(agent);
  if (proof === undefined) return null;
  const label = `Owner proved ${proof}`;
  return <span role="img" aria-label={label} data-tooltip={label} className={classes.tick} />;
}
