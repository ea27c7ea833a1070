import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { useApi, type Outputs } from '../api.ts';
import { AgentFields } from '../components/AgentFields.tsx';
import { EntryHistory } from '../components/EntryHistory.tsx';
import { LoadState } from '../components/LoadState.tsx';
import { RelatedPanel } from '../components/RelatedPanel.tsx';
import { ReportList } from '../components/ReportList.tsx';
import { StrangersText } from '../components/StrangersText.tsx';
import { VerbButtons } from '../components/VerbButtons.tsx';
import { formatTime, stateLabels } from '../labels.ts';

type Entry = Outputs['agents']['get'];

/** One entry of any state: what it says, its reports, its history, and what was done to it. */
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
      <Title order={1}>
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
      <RelatedPanel id={agent.id} order={2} />
      <EntryHistory entry={entry} />
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
      <VerbButtons verbs={reportVerbs} targets={[{ id: agent.id }]} names={[agent.name]} hasMain={false} mt="md" />
    </Paper>
  );
}

function describeState({ state, since, reason, hasKey, proposal, sources, pinned }: Entry): string {
  return [
    `${stateLabels[state]}${since === undefined ? '' : ` since ${formatTime(since)}`}${reason ? `: ${reason}` : ''}.`,
    hasKey ? 'Its owner has a management key.' : 'It has no management key.',
    proposal &&
      `An edit is ${proposal.state} since ${formatTime(proposal.since)}${proposal.reason && `: ${proposal.reason}`}.`,
    ...sources.map(
      ({ source, licence, importedAt }) => `From ${source}, ${licence ?? 'no licence'}, ${formatTime(importedAt)}.`,
    ),
    pinned.length > 0 && `Pinned: ${pinned.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
