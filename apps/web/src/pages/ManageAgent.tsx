import { ownerActions, toAgentPath, toManagePath, type Agent, type ManageAction } from '@agent-registry/contracts';
import { Link } from 'react-router-dom';
import { useOwnAgent } from '../components/owner-keys.ts';
import { ReportForm } from '../features/agent/ReportForm.tsx';
import { ClaimChoices } from '../features/owner/ClaimForm.tsx';
import { WithdrawForm } from '../features/owner/WithdrawForm.tsx';
import { EditForm } from '../features/owner/EditForm.tsx';
import classes from './ManageAgent.module.css';

const titles: Record<ManageAction, string> = {
  edit: 'Edit',
  withdraw: 'Withdraw',
  key: 'Lost key',
  report: 'Report a problem',
};

export function ManageAgent({ agent, action }: { agent: Agent; action: ManageAction }) {
  const isOwn = useOwnAgent(agent.id) !== undefined;
  return (
    <>
      <h1 id="manage-title" tabIndex={-1} className={classes.title}>
        {describe(action, isOwn)} <bdi>{agent.name}</bdi>
      </h1>
      {action !== 'report' && (
        <nav aria-label="Owner" className={classes.tabs}>
          {ownerActions.map((other) => (
            <Link
              key={other}
              to={toManagePath(agent.id, other)}
              rel="nofollow"
              aria-current={other === action ? 'page' : undefined}
            >
              {titles[other]}
            </Link>
          ))}
          <Link to={toAgentPath(agent.id)}>Back to the entry</Link>
        </nav>
      )}
      {action === 'edit' && (
        <div className="form-columns">
          <EditForm agent={agent} />
        </div>
      )}
      {action === 'withdraw' && <WithdrawForm agent={agent} />}
      {action === 'key' && <ClaimChoices agent={agent} />}
      {action === 'report' && <ReportForm agent={agent} />}
    </>
  );
}

function describe(action: ManageAction, isOwn: boolean): string {
  if (action !== 'key') return `${titles[action]}:`;
  return isOwn ? 'Prove that it is yours:' : 'Is this your agent?';
}
