import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import chevronDown from '../icons/chevron-down.svg?raw';
import { Icon } from './Icon.tsx';

/** A select with a shorter arrow than that of Mantine, which the home page has three times. */
export function Select(props: NativeSelectProps) {
  return <NativeSelect rightSection={<Icon svg={chevronDown} size={18} />} {...props} />;
}
