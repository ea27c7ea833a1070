import { createManagementKey, type RegistryClient } from '@agent-registry/client';
import { expectNoViolations, expectReflow } from './expect-no-violations.ts';
import { expect, tabTo, test, validAgent } from './test.ts';

// A withdrawn agent is 410.
test.use({ expectedErrors: /Failed to load resource.* 410/ });

async function register(client: RegistryClient, name: string) {
  const key = createManagementKey();
  const connections = [{ kind: 'mcp', transport: 'sse', url: 'https://keep.example.com/mcp' } as const];
  const agent = { ...validAgent, name, connections };
  const { id } = await client.agents.register.mutate(agent, { context: { newKey: key } });
  return { id, key };
}

test(
  'agents are kept and shared by keyboard alone, in two tabs alike, and the list says what has changed',
  { tag: '@all' },
  async ({ page, context, client, baseURL }) => {
    const heron = await register(client, 'Keep Heron');
    const stoat = await register(client, 'Keep Stoat');
    await page.goto('/?q=keep');
    for (const name of ['Keep Heron', 'Keep Stoat']) {
      await page.getByRole('button', { name: `Keep ${name}`, exact: true }).focus();
      await page.keyboard.press('Enter');
    }
    await client.agents.update.mutate({ id: heron.id, pricingModel: 'paid' }, { context: { key: heron.key } });
    await client.agents.withdraw.mutate({ id: stoat.id }, { context: { key: stoat.key } });

    const link = page.getByRole('region', { name: 'Your list' }).getByRole('link', { name: 'Your list' });
    await tabTo(page, link);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Your list: 2 agents' })).toBeVisible();
    await expect(page.getByText(/^Changed since .*: pricing Freemium → Paid$/)).toBeVisible();
    await expect(page.getByText('Keep Stoat was withdrawn.')).toBeVisible();
    await page.getByText('Allow-list for Claude Code and Copilot').click();
    await expect(page.getByText('https://keep.example.com/mcp', { exact: true })).toBeVisible();
    const file = page.getByLabel('Address of the file');
    await expect(file).toHaveValue(new RegExp(`/policy/managed-settings\\.json\\?keep=${heron.id}~[0-9a-f]{16}$`));
    await expectNoViolations(page, '#browse');
    await expectReflow(page);

    const other = await context.newPage();
    await other.goto(`${baseURL}/?keep=`);
    other.on('dialog', (question) => void question.accept());
    await other.getByRole('button', { name: 'Remove all' }).click();
    await expect(page.getByRole('heading', { name: 'Your list: 0 agents' })).toBeVisible();
    await other.close();

    await page.goto(`/?keep=${heron.id},${stoat.id}`);
    await expect(page.getByRole('heading', { name: 'A shared list: 2 agents' })).toBeVisible();
    await expectNoViolations(page, '#browse');
    await expectReflow(page);
  },
);

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test(
    'a shared list shows its agents, and the own one says what it needs',
    { tag: ['@desktop', '@all'] },
    async ({ page, client }) => {
      const [first, second] = await client.agents.list.query({ limit: 2 });
      await page.goto(`/?keep=${second?.id},${first?.id}`);
      const names = page.locator('#browse').getByRole('article').getByRole('heading');
      await expect(names).toHaveText([second?.name ?? '', first?.name ?? '']);
      await expect(page.getByRole('button', { name: 'Keep all' })).toBeHidden();
      await page.getByRole('link', { name: /^Compare/ }).click();
      await expect(page.getByRole('columnheader')).toHaveCount(3);
      await page.goto('/?keep=');
      await expect(page.getByText('Your browser keeps this list, and shows it with scripts only.')).toBeVisible();
    },
  );
});
