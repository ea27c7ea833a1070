import { fold, UNSPACED_SCRIPTS } from '@agent-registry/contracts';
import type { StoredTexts, TokenReader } from './token-index.ts';

const RUN_BORDERS = new RegExp(`(?<=[${UNSPACED_SCRIPTS}]) | (?=[${UNSPACED_SCRIPTS}])`, 'gu');

/**
 * The agents among these that have every phrase word for word in one of their texts, which are read: the index has no
 * positions.
 */
export async function checkPhrases(
  index: TokenReader,
  seqs: readonly number[],
  phrases: readonly string[],
): Promise<ReadonlySet<number>> {
  const wanted = phrases.map(toWords);
  const texts = await index.readTexts(seqs);
  return new Set(texts.filter((agent) => hasPhrases(agent, wanted)).map(({ seq }) => seq));
}

function hasPhrases({ name, capabilities, description }: StoredTexts, phrases: readonly string[]): boolean {
  const texts = [name, ...(JSON.parse(capabilities) as string[]), description].map(toWords);
  return phrases.every((phrase) => texts.some((text) => text.includes(phrase)));
}

/** The folded words of a text with a blank before, between and after them, but none beside text without blanks. */
function toWords(text: string): string {
  const words = fold(text)
    .replaceAll(/[^\p{L}\p{N}+#]+/gu, ' ')
    .trim();
  return ` ${words} `.replaceAll(RUN_BORDERS, '');
}
