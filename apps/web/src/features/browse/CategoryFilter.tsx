import { categories, type CategoryId } from '@agent-registry/contracts';
import { Button, Group } from '@mantine/core';
import { Link } from 'react-router-dom';
import { linkAsButton } from '../../components/link-as-button.ts';
import { keepScroll } from '../../navigation/location-state.ts';
import classes from './CategoryFilter.module.css';

type CategoryFilterProps = {
  selected: CategoryId | undefined;
  /** The path that selects a category, or clears the selected one. */
  togglePath: (category: CategoryId) => string;
};

/** The category filter: a button for each category, labelled with the first word of its name. */
export function CategoryFilter({ selected, togglePath }: CategoryFilterProps) {
  return (
    <Group gap="xs" role="group" aria-label="Filters">
      {categories.map(({ id, name }) => (
        <Button
          key={id}
          component={Link}
          {...linkAsButton}
          to={togglePath(id)}
          {...keepScroll}
          size="compact-md"
          radius="xl"
          px="md"
          className={classes.button}
          variant={id === selected ? 'filled' : 'default'}
          data-tooltip={name}
          aria-pressed={id === selected}
        >
          {name.split(' ')[0]}
        </Button>
      ))}
    </Group>
  );
}
