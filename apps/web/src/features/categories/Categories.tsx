import { formatCount, toBrowsePath, type Category } from '@agent-registry/contracts';
import { Container, Skeleton, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { toCategoryColours } from '../../components/category-colours.ts';
import { CategoryIcon } from '../../components/CategoryIcon.tsx';
import { useSiteConfig } from '../../lib/site-config.ts';
import classes from './Categories.module.css';
import { useCategoryCounts } from './use-category-counts.ts';

/** The categories, each with the number of its agents. */
export function Categories() {
  const { counts, isPending } = useCategoryCounts();
  const { isCustom, categories } = useSiteConfig();
  return (
    <section id="categories" tabIndex={-1} aria-labelledby="categories-title" className={classes.section}>
      <Container size="lg">
        <Title order={2} id="categories-title">
          Categories
        </Title>
        <Text c="var(--muted-text)" mt={4}>
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

type CategoryCardProps = {
  category: Category;
  /** The number of its agents, if known. */
  count: number | undefined;
  isPending: boolean;
};

function CategoryCard({ category, count, isPending }: CategoryCardProps) {
  const { id, name, description } = category;
  return (
    <li className={classes.card} style={toCategoryColours(category)}>
      <CategoryIcon category={category} />
      <h3 id={`category-${id}`} className={classes.name}>
        {name}
      </h3>
      {isPending && <Skeleton height={34} width={96} />}
      {count !== undefined && (
        <Link to={toBrowsePath({ category: id })} className={classes.count} aria-describedby={`category-${id}`}>
          <b>{formatCount(count)}</b> {count === 1 ? 'agent' : 'agents'}
        </Link>
      )}
      <p className={classes.description}>{description}</p>
    </li>
  );
}
