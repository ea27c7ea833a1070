import { toAgentPath, toComparePath, type Agent, countOf } from '@agent-registry/contracts';
import { Title } from '@mantine/core';
import { useState, type CSSProperties } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { AgentMark } from '../../components/AgentMark.tsx';
import { AsyncState } from '../../components/AsyncState.tsx';
import { focusContainer } from '../../components/focus-container.ts';
import { BackToList } from '../../navigation/BackToList.tsx';
import { readLocationState, type LocationState } from '../../navigation/location-state.ts';
import { compareAgents, type Row } from './compare-agents.tsx';
import classes from './Comparison.module.css';
import { chooseCompared, useComparedAgents, useKeptAgents } from '../../components/kept-agents.ts';
import type { Compared } from './use-chosen-agents.ts';

const MAX_BESIDE = 2;

/** @param props.ids at most four */
export function Comparison({ ids, agents, missing, error, retry }: Compared & { ids: readonly string[] }) {
  const kept = useKeptAgents();
  return (
    <>
      <div className={classes.head}>
        <BackToList className={classes.back} onClick={focusContainer} />
        <Title order={3} id="compare-title">
          Compare {agents ? countOf(agents.length, 'agent') : 'agents'}
        </Title>
      </div>
      {missing.length > 0 && (
        <ul className={classes.missing} aria-label="Not compared">
          {missing.map(({ id, isWithdrawn }) => (
            <li key={id}>
              {isWithdrawn ? (
                <>
                  <bdi>{kept.find((agent) => agent.id === id)?.name ?? id}</bdi> was withdrawn.
                </>
              ) : (
                <>
                  No agent has the id ‘<bdi>{id}</bdi>’.
                </>
              )}{' '}
              <RemoveLink id={id} name={id} ids={ids} />
            </li>
          ))}
        </ul>
      )}
      {agents ? (
        agents.length > 0 && <Table key={ids.join()} agents={agents} ids={ids} />
      ) : (
        <AsyncState error={error} errorMessage="The agents could not be loaded." retry={retry}>
          <p aria-busy className={classes.loading}>
            Loading agents…
          </p>
        </AsyncState>
      )}
    </>
  );
}

function Table({ agents, ids }: { agents: readonly Agent[]; ids: readonly string[] }) {
  const toAgent: LocationState = { backTo: { path: toComparePath(ids), label: 'Back to the comparison' } };
  // The agents on a small screen, which shows two; the one that was chosen last is the second.
  const [pair, setPair] = useState(agents.slice(0, MAX_BESIDE).map(({ id }) => id));
  const isShown = (id: string) => pair.includes(id);
  const rows = compareAgents(agents);
  return (
    <>
      {agents.length > MAX_BESIDE && (
        <div role="group" aria-label="Two at a time" className={`needs-scripts ${classes.marks}`}>
          {agents.map((agent) => (
            <button
              key={agent.id}
              type="button"
              aria-pressed={isShown(agent.id)}
              onClick={() => !isShown(agent.id) && setPair([...pair.slice(1), agent.id])}
            >
              <AgentMark agent={agent} size="sm" />
              <span className="visually-hidden">{agent.name}</span>
            </button>
          ))}
          Two at a time
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the keyboard */}
      <div role="region" aria-labelledby="compare-title" tabIndex={0} className={classes.scroll}>
        <table className={classes.table} style={{ '--agents': agents.length } as CSSProperties}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Property</span>
              </th>
              {agents.map((agent) => (
                <th key={agent.id} scope="col" abbr={agent.name} data-shown={isShown(agent.id)}>
                  <div className={classes.agent}>
                    <AgentMark agent={agent} />
                    <Link to={toAgentPath(agent.id)} state={toAgent} dir="auto" className={classes.name}>
                      {agent.name}
                    </Link>
                  </div>
                  <RemoveLink id={agent.id} name={agent.name} ids={ids} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              .filter(({ isSame }) => !isSame)
              .map(({ label, cells }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {agents.map(({ id }, index) => (
                    <td key={id} data-shown={isShown(id)}>
                      {cells[index]}
                    </td>
                  ))}
                </tr>
              ))}
            <SameRow rows={rows.filter(({ isSame }) => isSame)} columns={agents.length} />
            <tr>
              <th scope="row">
                <span className="visually-hidden">Page</span>
              </th>
              {agents.map(({ id, name, connections }) => (
                <td key={id} data-shown={isShown(id)}>
                  <Link to={toAgentPath(id)} state={toAgent} className="pill">
                    {connections ? 'Connect' : 'Open'} <span className="visually-hidden">{name}</span>
                  </Link>
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </>
  );
}

function SameRow({ rows, columns }: { rows: readonly Row[]; columns: number }) {
  if (rows.length === 0) return null;
  return (
    <tr>
      <th scope="row">Same for all</th>
      <td colSpan={columns} className={classes.same}>
        {rows.map(({ label, cells }) => (
          <div key={label}>
            {label}: {cells[0]}
          </div>
        ))}
      </td>
    </tr>
  );
}

function RemoveLink({ id, name, ids }: { id: string; name: string; ids: readonly string[] }) {
  const state = { ...readLocationState(useLocation()), keepScroll: true };
  const compared = useComparedAgents();
  const others = ids.filter((other) => other !== id);
  return (
    <Link
      to={others.length > 0 ? toComparePath(others) : '/'}
      replace
      state={state}
      rel="nofollow"
      className={classes.remove}
      aria-label={`Remove ${name}`}
      onClick={(event) => {
        focusContainer(event);
        chooseCompared(compared.filter((agent) => agent.id !== id));
      }}
    >
      Remove
    </Link>
  );
}
