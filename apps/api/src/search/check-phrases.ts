import { fold, UNSPACED_SCRIPTS } from '@agent-registry/contracts';
import { ranking } from './ranking.ts';
import type { StoredTexts, TokenReader } from './token-index.ts';

const RUN_BORDERS = new RegExp(`(?<=[${UNSPACED_SCRIPTS}]) | (?=[${UNSPACED_SCRIPTS}])`, 'gu');

/**
 * The agents among these that have every phrase word for word in one of their texts. The index has no positions, so the
 * texts of the first `ranking.maxChecked` agents are read; later ones are left out.
 */
export async function checkPhrases(
  index: TokenReader,
  seqs: readonly number[],
  phrases: readonly string[],
): Promise<number[]> {
  const wanted = phrases.map(toWords);
  const first = seqs.slice(0, ranking.maxChecked);
  const texts = await index.readTexts(first);
  const found = new Set(texts.filter((agent) => hasPhrases(agent, wanted)).map(({ seq }) => seq));
  return first.filter((seq) => found.has(seq));
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
