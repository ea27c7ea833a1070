import { MIN_SUGGEST_LENGTH, MAX_SEARCH_LENGTH } from '@agent-registry/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/trpc.ts';

/** How long typing has to pause before capabilities are requested, in milliseconds. */
const DEBOUNCE = 200;

/**
 * The ways to complete the last capability that is typed, by capabilities that other agents have.
 * @param props.text the text of the field, to whose `list` the id belongs
 */
export function CapabilityOptions({ id, text }: { id: string; text: string }) {
  const { queries } = useApi();
  const [, earlier = '', typed = ''] = /^(.*[,;]\s*)?(.*)$/su.exec(text) ?? [];
  const [q] = useDebouncedValue(typed.trim(), DEBOUNCE);
  const length = Array.from(q).length;
  const { data } = useQuery({
    ...queries.agents.suggest.queryOptions({ q }),
    enabled: length >= MIN_SUGGEST_LENGTH && length <= MAX_SEARCH_LENGTH,
    placeholderData: keepPreviousData,
  });
  // One with a separator would become two.
  const names = data?.capabilities.map(({ name }) => name).filter((name) => !/[,;]/.test(name)) ?? [];
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={earlier + name}>
          {name}
        </option>
      ))}
    </datalist>
  );
}
