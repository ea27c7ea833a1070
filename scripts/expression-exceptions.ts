const OWN = 'reads a file of this repository, never a text of others';
const SENTENCE =
  'unknown within the time; reads at most MAX_PASTE_LENGTH characters, and tries each part once at a place';

/** The beginnings of expressions that the check leaves out, with the reason. */
export const exceptions: Record<string, string> = {
  [String.raw`/\B(?=(?:\d{3})+$)/g`]: 'reads the digits of one number',
  [String.raw`/<svg\b[^>]*\bviewBox=(["'])\s*-?[\d.]+[\s,]+-?[\d.]+[\s,]+[\d.]+[\s,]+[\d.]+\s*\1[^>]*>/`]:
    'reads the logo of the operator',
  [String.raw`/[\w.!#$%&'*+/=?^` +
  '`' +
  String.raw`{|}~-]{1,64}(?:@|%40)(?:[a-z\d-]{1,63}\.){1,20}(?=[\d-]*[a-z])[a-z\d-]{1,63}/gi`]:
    'has a bound for each repetition',
  [String.raw`/(?<=<link rel="search"[^>]* title=")[^"]*/`]: OWN,
  [String.raw`/<link rel="(?:icon|apple-touch-icon)"[^>]*>\s*/g`]: OWN,
  [String.raw`/<style>(.*?)<\/style>/s`]: OWN,
  [String.raw`/:not\((?:[^()]|\([^()]*\))*\)|:\w+\(`]: OWN,
  [String.raw`/\.[\w-]+|\[[^\]~|^$*]+\]/g`]: OWN,
  [String.raw`/<script>(.*?)<\/script>/gs`]: OWN,
  [String.raw`/<script>.*?<\/script>/gs`]: OWN,
  [String.raw`/(?<=\S )(?:but |and |or )?(?<not>`]: SENTENCE,
};
