import { formatCount, hashText, toBrowsePath, toMarkPattern, type Category } from '@agent-registry/contracts';
import { Container, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useApi } from '../../api/trpc.ts';
import { useAgentList } from '../../api/use-agent-list.ts';
import { Pattern } from '../../components/AgentMark.tsx';
import { CategoryIcon, toCategoryColour } from '../../components/CategoryIcon.tsx';
import { useSiteConfig, useSite } from '../../lib/site.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import classes from './Categories.module.css';

export function Categories() {
  const { counts, isPending } = useCategoryCounts();
  const { isCustom, categories } = useSiteConfig();
  return (
    <section id="categories" tabIndex={-1} aria-labelledby="categories-title" className={classes.section}>
      <Container size="lg">
        <Title order={2} id="categories-title">
          Categories
        </Title>
        <Text c="var(--muted-text)" mt="xxs">
          {isCustom ? 'The agents by what they do.' : 'Six kinds of agents, from conversation to computer vision.'}
        </Text>
        <ul className={classes.grid}>
          {categories.map((category) => (
            <CategoryCard key={category.id} category={category} count={counts?.[category.id]} isPending={isPending} />
          ))}
        </ul>
      </Container>
    </section>
  );
}

/** Patterns above each category, for decoration: not in the HTML, which they would make longer. */
const STRIP = [1, 2, 3, 4, 5, 6, 7, 8, 9];

type CategoryCardProps = { category: Category; count: number | undefined; isPending: boolean };

function CategoryCard({ category, count, isPending }: CategoryCardProps) {
  const { id, name, description } = category;
  const isHydrated = useHydrated();
  return (
    <li className={classes.card} style={toCategoryColour(category)}>
      <div className={`needs-scripts ${classes.strip}`} aria-hidden>
        {isHydrated &&
          STRIP.map((index) => <Pattern key={index} areas={toMarkPattern(hashText(id + index), category)} />)}
      </div>
      <h3 id={`category-${id}`} className={classes.name}>
        <CategoryIcon category={category} size={18} />
        {name}
      </h3>
      {isPending && <Skeleton height={22} width={80} />}
      {count !== undefined && (
        <Link to={toBrowsePath({ category: id })} className={classes.count} aria-describedby={`category-${id}`}>
          <b>{formatCount(count)}</b>
          {count === 1 ? ' agent' : ' agents'}
        </Link>
      )}
      <p className={classes.description}>{description}</p>
    </li>
  );
}

/** The number of agents per category: from the statistics in a large directory or if they are loaded, else from the full list. */
export function useCategoryCounts(): { counts: Record<string, number> | undefined; isPending: boolean } {
  const { isPaged } = useSite();
  const { categories } = useSiteConfig();
  const stats = useQuery(useApi().queries.stats.get.queryOptions());
  const list = useAgentList({}, { enabled: !isPaged && stats.data === undefined });
  const fullList = isPaged || list.isExcerpt ? undefined : list.agents;
  return {
    counts: fullList
      ? Object.fromEntries(categories.map(({ id }) => [id, fullList.filter(({ category }) => category === id).length]))
      : stats.data?.agentsPerCategory,
    isPending: stats.isPending && (isPaged || list.isPending),
  };
}
