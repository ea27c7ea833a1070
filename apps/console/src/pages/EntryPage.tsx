import { changeLabels, describeShared, labelOfField } from '@agent-registry/contracts';
import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { useApi, type Outputs } from '../api.ts';
import { AgentFields } from '../components/AgentFields.tsx';
import { FieldRow, FieldValue } from '../components/FieldRow.tsx';
import { LoadState } from '../components/LoadState.tsx';
import { ReportList } from '../components/ReportList.tsx';
import { StrangersText } from '../components/StrangersText.tsx';
import { VerbButtons } from '../VerbsProvider.tsx';
import { formatTime, stateLabels, toPlainText } from '../labels.ts';

type Entry = Outputs['agents']['get'];

export function EntryPage() {
  const { id = '' } = useParams();
  const { queries } = useApi();
  const query = useQuery(queries.agents.get.queryOptions({ id }));
  return (
    <>
      <LoadState query={query} />
      {query.data && <EntryDetails entry={query.data} />}
    </>
  );
}

function EntryDetails({ entry }: { entry: Entry }) {
  const { agent, proposal, reports, seen, verbs } = entry;
  return (
    <>
      <Title order={1} size="h2">
        <StrangersText text={agent.name} />
      </Title>
      <Text mb="md" className="text">
        {describeState(entry)}
      </Text>
      <VerbButtons verbs={verbs} targets={[{ id: agent.id, seen }]} names={[agent.name]} />
      <Paper component="section" withBorder p="md" my="md" aria-label="The entry">
        <AgentFields agent={agent} {...(proposal?.state === 'waiting' && { patch: proposal.patch })} />
      </Paper>
      {reports.length > 0 && <Reports entry={entry} />}
      <History entry={entry} />
    </>
  );
}

function Reports({ entry: { agent, reports, reportVerbs } }: { entry: Entry }) {
  return (
    <Paper component="section" withBorder p="md" mb="md" aria-labelledby="reports">
      <Title order={2} size="h3" id="reports">
        Reports
      </Title>
      <ReportList reports={reports} />
      <VerbButtons verbs={reportVerbs} targets={[{ id: agent.id }]} names={[agent.name]} hasMain={false} />
    </Paper>
  );
}

function describeState({
  state,
  since,
  reason,
  hasKey,
  proposal,
  sharing,
  sources,
  publication,
  pinned,
}: Entry): string {
  return [
    `${stateLabels[state]}${since === undefined ? '' : ` since ${formatTime(since)}`}${reason ? `: ${reason}` : ''}.`,
    hasKey ? 'Its owner has a management key.' : 'It has no management key.',
    proposal &&
      `An edit is ${proposal.state} since ${formatTime(proposal.since)}${proposal.reason && `: ${proposal.reason}`}.`,
    ...sources.map(
      ({ source, licence, importedAt }) => `From ${source}, ${licence ?? 'no licence'}, ${formatTime(importedAt)}.`,
    ),
    ...sharing.map((other) => `${describeShared(other)} ${toPlainText(other.name)} (${other.id}).`),
    publication && `Published as ${publication.name} ${publication.version} by ${publication.domain}.`,
    pinned.length > 0 && `Pinned: ${pinned.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** What became of an entry, with all values, and what operators did to it; latest first. */
function History({ entry: { history, actions } }: { entry: Entry }) {
  return (
    <>
      <Paper component="section" withBorder p="md" my="md" aria-labelledby="history">
        <Title order={2} size="h3" id="history">
          History
        </Title>
        {history.length === 0 && <Text>It was never listed.</Text>}
        <ul className="rows">
          {history.toReversed().map(({ at, change, actor, fields = {} }) => (
            <li key={at + change}>
              <Text mt="xs">
                {formatTime(at)}: {changeLabels[change]} by {actor}
              </Text>
              <dl className="fields">
                {Object.entries(fields).map(([field, values]) => (
                  <FieldRow key={field} label={labelOfField(field)}>
                    {values ? (
                      <>
                        <del>
                          <FieldValue field={field} value={values[0]} />
                        </del>{' '}
                        <ins>
                          <FieldValue field={field} value={values[1]} />
                        </ins>
                      </>
                    ) : (
                      'Changed'
                    )}
                  </FieldRow>
                ))}
              </dl>
            </li>
          ))}
        </ul>
      </Paper>
      <Paper component="section" withBorder p="md" aria-labelledby="actions">
        <Title order={2} size="h3" id="actions">
          Actions of operators
        </Title>
        {actions.length === 0 && <Text>There were none.</Text>}
        <ul className="rows">
          {actions.map(({ number, at, by, command, reason }) => (
            <li key={number}>
              {formatTime(at)}: {command} by <StrangersText text={by} />
              {reason !== '' && (
                <>
                  : <StrangersText text={reason} />
                </>
              )}
            </li>
          ))}
        </ul>
      </Paper>
    </>
  );
}
