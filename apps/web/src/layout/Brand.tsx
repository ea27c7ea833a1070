import { BRAND } from '@agent-registry/contracts';
import { Group, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import classes from './Brand.module.css';

/** The logo and the name, linked to the home page. */
export function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <Group gap="xs" wrap="nowrap">
        <img src="/favicon.svg" alt="" width={30} height={30} />
        <Text component="span" fw={700} size="lg" className={classes.name}>
          {BRAND}
        </Text>
      </Group>
    </Link>
  );
}
