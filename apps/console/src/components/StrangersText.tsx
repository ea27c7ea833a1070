import { Anchor } from '@mantine/core';
import { toPlainText } from '../labels.ts';

/** A text of a stranger: it stays text, in a direction of its own, and what it hides is marked. */
export function StrangersText({ text }: { text: string }) {
  return <bdi className="text">{toPlainText(text)}</bdi>;
}

/** A website of a stranger, which does not learn of the console. */
export function StrangersLink({ website }: { website: string }) {
  // Older versions accepted any text.
  if (!/^https?:\/\//i.test(website)) return <StrangersText text={website} />;
  return (
    <Anchor href={website} target="_blank" rel="noopener noreferrer nofollow" className="text">
      <bdi>{toPlainText(website)}</bdi>
    </Anchor>
  );
}
