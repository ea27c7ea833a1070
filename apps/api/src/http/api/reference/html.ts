import { escapeXml } from '@agent-registry/contracts';

/** Markup, which is not escaped again. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = Html | string | number | false | undefined | readonly Value[];

/** Creates markup from a template. Its values are escaped unless they are markup; false and undefined are left out. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toMarkup)));
}

function toMarkup(value: Value): string {
  if (value === false || value === undefined) return '';
  if (value instanceof Html) return value.markup;
  return typeof value === 'object' ? value.map(toMarkup).join('') : escapeXml(String(value));
}
