import type { Agent } from '@agent-registry/contracts';
import { ReportForm } from '../features/agent/ReportForm.tsx';
import classes from './ManageAgent.module.css';

/** The form with which anybody reports a problem with an agent. */
export function ReportAgent({ agent }: { agent: Agent }) {
  return (
    <>
      <h1 id="manage-title" className={classes.title}>
        Report a problem: <bdi>{agent.name}</bdi>
      </h1>
      <ReportForm agent={agent} />
    </>
  );
}
