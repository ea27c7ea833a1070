import { addScheme, isWebAddress, toAgentPath } from '@agent-registry/contracts';
import { TextInput, type TextInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useApi } from '../../api/trpc.ts';
import classes from './AgentForm.module.css';

type WebsiteFieldProps = TextInputProps & { value: string; isNew: boolean; onLeave: (website: string) => void };

export function WebsiteField({ isNew, onLeave, ...field }: WebsiteFieldProps) {
  const [left, setLeft] = useState('');
  return (
    <div>
      <TextInput
        {...field}
        type="url"
        placeholder="https://example.com"
        autoComplete="url"
        onBlur={() => {
          const website = addScheme(field.value);
          setLeft(website);
          onLeave(website);
        }}
      />
      {isNew && <SameWebsite website={field.value === left ? left.trim() : ''} />}
    </div>
  );
}

function SameWebsite({ website }: { website: string }) {
  const { data } = useQuery({
    ...useApi().queries.agents.list.queryOptions({ website, limit: 1 }),
    enabled: isWebAddress(website),
  });
  const listed = data?.agents[0];
  return (
    <div aria-live="polite" className={classes.sameWebsite}>
      {listed && (
        <>
          Already listed:{' '}
          <Link to={toAgentPath(listed.id)} dir="auto">
            {listed.name}
          </Link>
        </>
      )}
    </div>
  );
}
