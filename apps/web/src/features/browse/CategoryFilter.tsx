import { categories, type CategoryId } from '@agent-registry/contracts';
import { Button, Group, Tooltip } from '@mantine/core';
import classes from './CategoryFilter.module.css';

type CategoryFilterProps = { active: CategoryId | undefined; onToggle: (category: CategoryId) => void };

/** A button for each category, labelled with the first word of its name. */
export function CategoryFilter({ active, onToggle }: CategoryFilterProps) {
  return (
    <Group gap="xs" role="group" aria-label="Filters">
      {categories.map(({ id, name }) => (
        <Tooltip key={id} label={name}>
          <Button
            size="compact-md"
            radius="xl"
            px="md"
            className={classes.button}
            variant={id === active ? 'filled' : 'default'}
            aria-pressed={id === active}
            onClick={() => onToggle(id)}
          >
            {name.split(' ')[0]}
          </Button>
        </Tooltip>
      ))}
    </Group>
  );
}
