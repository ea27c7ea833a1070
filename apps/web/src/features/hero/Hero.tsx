import { formatCount, getCategory, hashText, toMarkPattern, type ListedAgent } from '@agent-registry/contracts';
import { Container, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Pattern } from '../../components/AgentMark.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import { SectionButton } from '../../navigation/SectionLink.tsx';
import { useApi, type Api } from '../../api/trpc.ts';
import { useAgentList } from '../../api/use-agent-list.ts';
import classes from './Hero.module.css';

const MIN_MARKS = 12;
const MAX_MARKS = 45;

/** The query of the marks of the newest agents: the hashes of their ids, and their categories. It comes with the page. */
export function toMarksQuery({ client }: Api) {
  return {
    queryKey: ['marks'],
    queryFn: async () => (await client.agents.list.query({ limit: MAX_MARKS })).agents.map(toMark),
  };
}

const toMark = ({ id, category }: ListedAgent) => [hashText(id), category] as const;

export function Hero({ isCompact }: { isCompact: boolean }) {
  const { tagline, lead } = useSiteConfig();
  const { data: stats } = useQuery(useApi().queries.stats.get.queryOptions());
  const figures = [
    { label: 'Registered Agents', value: stats?.totalAgents },
    { label: 'Categories', value: stats?.categories },
    { label: 'Monthly Views', value: stats?.monthlyViews },
  ];
  return (
    <section aria-labelledby="hero-title" className={`ink ${classes.hero}`} data-compact={isCompact}>
      {!isCompact && <Mosaic />}
      <Container size="lg" className={classes.layout}>
        <Title order={1} id="hero-title" className={classes.title}>
          {tagline}
        </Title>
        {lead !== null && <p className={classes.lead}>{lead}</p>}
        <div className={classes.strip}>
          <div className={classes.buttons}>
            <SectionButton section="browse" variant="default">
              Browse Agents
            </SectionButton>
            <SectionButton section="register" variant="default">
              Register Your Agent
            </SectionButton>
          </div>
          <dl className={classes.figures}>
            {figures.map(({ label, value }) => (
              <div key={label} className={classes.figure}>
                <dt>{label}</dt>
                <dd>{formatCount(value ?? 0)}</dd>
              </div>
            ))}
          </dl>
        </div>
      </Container>
    </section>
  );
}

/** The patterns of the newest agents' marks as decoration: those that came with the page, else those of loaded agents. */
function Mosaic() {
  const { categories } = useSiteConfig();
  const { data: marks } = useQuery({ ...toMarksQuery(useApi()), enabled: false });
  const { agents = [] } = useAgentList({ text: '' }, { enabled: false });
  const shown = marks ?? agents.slice(0, MAX_MARKS).map(toMark);
  if (shown.length < MIN_MARKS) return null;
  return (
    <div className={classes.mosaic} aria-hidden>
      {shown.map(([hash, category]) => (
        <Pattern key={hash} areas={toMarkPattern(hash, getCategory(categories, category))} />
      ))}
    </div>
  );
}
