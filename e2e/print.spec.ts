import { expect, openForm, test } from './test.ts';

test('on paper no page has a control', { tag: ['@desktop', '@all'] }, async ({ page, client }) => {
  const [first, second] = await client.agents.list.query({ limit: 2 });
  await openForm(page);
  for (const agent of [first, second])
    await page.getByRole('button', { name: `Keep ${agent?.name}`, exact: true }).click();
  await page.emulateMedia({ media: 'print' });
  const ids = `${first?.id},${second?.id}`;
  for (const [path, text] of [
    ['/', first?.name],
    ['/?view=rows', first?.name],
    ['/?q=translation&pricing=free', 'agents for ‘translation’'],
    ['/?q=zzzzzz', 'No agents found matching your criteria.'],
    ['/?keep=', first?.name],
    [`/?keep=${ids}`, first?.name],
    [`/?compare=${ids}`, first?.name],
    [`/agent/${first?.id}`, first?.description],
  ] as const) {
    await page.goto(path);
    await expect(
      page
        .getByRole('main')
        .getByText(text ?? '')
        .first(),
    ).toBeVisible();
    const controls = page.locator('button, input, select, textarea, [role=button], .pill').filter({ visible: true });
    await expect(controls, path).toHaveCount(0);
  }
});
