import { defaultSiteConfig } from '@agent-registry/contracts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SiteConfigContext } from '../lib/site.ts';
import { render } from '../testing/render.tsx';
import { BadgeSnippets } from './BadgeSnippets.tsx';

test('the code of a badge keeps the name of the registry text', () => {
  render(
    <SiteConfigContext value={{ ...defaultSiteConfig, name: '"A" & [B]' }}>
      <BadgeSnippets id="1" />
    </SiteConfigContext>,
  );
  const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
  const page = 'https://registry.example/agent/1';
  expect(value('Badge for your website')).toBe(
    `<a href="${page}"><img src="${page}/badge.svg" alt="Listed in &#34;A&#34; &#38; [B]"></a>`,
  );
  expect(value('Badge for a README')).toBe(String.raw`[![Listed in "A" & \[B\]](${page}/badge.svg)](${page})`);
});
