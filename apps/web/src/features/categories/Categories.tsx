import { categories, formatCount, type Category } from '@agent-registry/contracts';
import { Container, Skeleton, Text, Title } from '@mantine/core';
import classes from './Categories.module.css';
import { CategoryIcon } from '../../components/CategoryIcon.tsx';
import { useCategoryCounts } from './use-category-counts.ts';

/** The six categories, each with the number of its agents. */
export function Categories() {
  const { counts, isPending } = useCategoryCounts();
  return (
    <section id="categories" tabIndex={-1} aria-labelledby="categories-title" className={classes.section}>
      <Container size="lg">
        <Title order={2} id="categories-title">
          Categories
        </Title>
        <Text c="var(--muted-text)" mt={4}>
          Six kinds of agents, from conversation to computer vision.
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
    <li className={classes.card}>
      <CategoryIcon category={id} />
      <div>
        <h3 className={classes.name}>{name}</h3>
        {isPending && <Skeleton height={14} width={64} my={4} />}
        {count !== undefined && (
          <p className={classes.count}>
            {formatCount(count)} {count === 1 ? 'agent' : 'agents'}
          </p>
        )}
        <p className={classes.description}>{description}</p>
      </div>
    </li>
  );
}
