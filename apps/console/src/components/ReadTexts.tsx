import { StrangersText } from './StrangersText.tsx';

/** Texts that a check read of the connections of an entry. */
export function ReadTexts({ texts }: { texts: readonly string[] }) {
  return (
    <ul aria-label="Read of its connections">
      {texts.map((text, index) => (
        <li key={index}>
          <StrangersText text={text} />
        </li>
      ))}
    </ul>
  );
}
