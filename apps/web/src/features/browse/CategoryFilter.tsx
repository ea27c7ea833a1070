import { categories, type CategoryId } from '@agent-registry/contracts';
import { Button, Group } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { linkAsButton } from '../../components/link-as-button.ts';
import { keepScroll } from '../../navigation/use-scroll-restoration.ts';
import classes from './CategoryFilter.module.css';

type CategoryFilterProps = {
  active: CategoryId | undefined;
  /** Where choosing a category leads, or clearing the active one. */
  toToggled: (category: CategoryId) => string;
};

/** A button for each category, labelled with the first word of its name; choosing one clears the search text. */
export const CategoryFilter = memo(function CategoryFilter({ active, toToggled }: CategoryFilterProps) {
  return (
    <Group gap="xs" role="group" aria-label="Filters">
      {categories.map(({ id, name }) => (
        <Button
          key={id}
          component={Link}
          {...linkAsButton}
          to={toToggled(id)}
          {...keepScroll}
          size="compact-md"
          radius="xl"
          px="md"
          className={classes.button}
          variant={id === active ? 'filled' : 'default'}
          data-tooltip={name}
          aria-pressed={id === active}
        >
          {name.split(' ')[0]}
        </Button>
      ))}
    </Group>
  );
});
