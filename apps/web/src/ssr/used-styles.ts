/** A selector with what it needs, such as `.name` and `[name=value]`. */
type Selector = { text: string; needs: readonly string[] };

type Rule = { selectors: readonly Selector[]; body: string } | { head: string; rules: readonly Rule[] };

let parsed: { css: string; rules: readonly Rule[] } | undefined;

/** Rules that no first view needs: those of the pointer, of the focus, of what is pressed, of animations, of paper, of forced colours. */
const laterRules =
  /^@(?:media (?:print|\((?:hover|forced-colors))|keyframes)|^::|::backdrop|(?<!not\():(?:hover|active|focus|checked|disabled|invalid|popover-open)/;

/** Leaves the rules in the inline stylesheet whose classes and attributes the page has. The file at its end has all. */
export function keepUsedStyles(page: string): string {
  return page.replace(/<style>(.*?)<\/style>/s, (_, css: string) => {
    if (parsed?.css !== css) parsed = { css, rules: parseRules(css) };
    const kept = pickRules(parsed.rules, readNames(page));
    const used = readVariables(page.replace(css, () => kept));
    return `<style>${dropVariables(kept, used)}</style>`;
  });
}

function pickRules(rules: readonly Rule[], names: ReadonlySet<string>): string {
  const kept = rules.map((rule) => {
    if ('body' in rule) {
      const matching = rule.selectors.filter(({ needs }) => needs.every((name) => names.has(name)));
      return matching.length > 0 ? matching.map(({ text }) => text).join(',') + rule.body : '';
    }
    const inner = pickRules(rule.rules, names);
    return inner && `${rule.head}{${inner}}`;
  });
  return kept.join('');
}

function readVariables(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(/var\((--[\w-]+)/g), ([, name = '']) => name));
}

/** Leaves out the variables that are not used, except those of the root, which the file does not have. */
function dropVariables(css: string, used: ReadonlySet<string>): string {
  return css.replaceAll(/(?<=\})(?!:root)[^{}@]*\{[^{}]*\}/g, (rule) =>
    rule.replaceAll(/(?<=[{;])(--[\w-]+):[^;}]*;?/g, (declaration, name: string) =>
      used.has(name) ? declaration : '',
    ),
  );
}

/** The classes and attributes of the elements of a page, and the addresses to which it links. */
function readNames(page: string): Set<string> {
  // A script chooses the colour scheme.
  const names = new Set(['[class]', '[data-mantine-color-scheme=light]', '[data-mantine-color-scheme=dark]']);
  for (const [, name = '', value = ''] of page.matchAll(/ ([a-z][\w-]*)(?:="([^"]*)")?/g)) {
    if (name === 'class') value.split(' ').forEach((part) => names.add(`.${part}`));
    else if (name === 'href') names.add(value);
    else names.add(`[${name}]`).add(`[${name}=${value}]`);
  }
  return names;
}

function parseRules(css: string): Rule[] {
  return splitRules(css).flatMap((text) => {
    const start = text.indexOf('{');
    const [head, body] = [text.slice(0, start), text.slice(start)];
    if (laterRules.test(head)) return [];
    if (/^@(?:media|supports|container)/.test(head)) return { head, rules: parseRules(body.slice(1, -1)) };
    // A font that the page preloads, or one of the system.
    if (head === '@font-face') return { selectors: [{ text: head, needs: /(?<=url\()[^)]*/.exec(body) ?? [] }], body };
    return {
      selectors: splitSelectors(head).map((selector) => ({ text: selector, needs: readNeeds(selector) })),
      body,
    };
  });
}

function splitSelectors(list: string): string[] {
  const selectors = [''];
  let depth = 0;
  for (const character of list) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) selectors.push('');
    else selectors[selectors.length - 1] += character;
  }
  return selectors;
}

/** What an element and those around it need for a selector to match; what only one of several needs is left out. */
function readNeeds(selector: string): string[] {
  const needed = selector.replaceAll(/:not\((?:[^()]|\([^()]*\))*\)|:\w+\([^()]*,[^()]*\)/g, '');
  return needed.match(/\.[\w-]+|\[[^\]~|^$*]+\]/g)?.map((name) => name.replaceAll('"', '')) ?? [];
}

function splitRules(css: string): string[] {
  const rules: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    if (depth > 0) continue;
    rules.push(css.slice(start, index + 1));
    start = index + 1;
  }
  return rules;
}
