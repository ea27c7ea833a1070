import { createManagementKey, type Agent, type NewAgentInput } from '@agent-registry/client';
import { hostileTexts } from '@agent-registry/contracts/testing/hostile-agents';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import type { Page } from '@playwright/test';
import { expectNoViolations, expectReflow } from './expect-no-violations.ts';
import { expect, testWith, validAgent } from './test.ts';

/** An agent that is listed from the start. */
const otter = makeAgent({ name: 'Listed Otter', website: 'https://otter.example/' });

type Fixtures = {
  /** The page of the console. */
  console: Page;
  /** Registers an agent, which waits for review; it leaves the queue after the test. */
  register: (fields: Partial<NewAgentInput>) => Promise<Agent>;
  /** Registers an agent and releases it. */
  list: (fields: Partial<NewAgentInput>) => Promise<Agent>;
};
const key = createManagementKey();

/** A registry whose registrations are held, with the console of its operator, which the tests share. */
const test = testWith([otter], { REGISTRATION: 'held' }).extend<Fixtures>({
  console: async ({ registry, page }, use) => {
    await page.goto(await registry.getConsole());
    await expect(page.getByRole('heading', { level: 1, name: 'Queue' })).toBeVisible();
    await use(page);
  },
  register: async ({ client }, use) => {
    const ids: string[] = [];
    await use(async (fields) => {
      const agent = await client.agents.register.mutate({ ...validAgent, ...fields }, { context: { newKey: key } });
      ids.push(agent.id);
      return agent;
    });
    // Hidden ones are in no queue, and their owners cannot withdraw them.
    const withdraw = (id: string) => client.agents.withdraw.mutate({ id }, { context: { key } });
    await Promise.allSettled(ids.map(withdraw));
  },
  list: ({ register, registry }, use) =>
    use(async (fields) => {
      const agent = await register(fields);
      await registry.command('release', agent.id);
      return agent;
    }),
});

// In one worker, since each one would start the registry.
test.describe.configure({ mode: 'default' });

// An id that no entry has, a change of what is no longer as it was seen, and a console that has ended.
test.use({ expectedErrors: /Failed to load resource.*(?: 404| 412|ERR_CONNECTION_REFUSED)/ });

const rows = (page: Page) => page.getByRole('region', { name: 'Waiting entries' }).getByRole('listitem');
const status = (page: Page, text: string | RegExp) => expect(page.locator('[aria-live=polite]')).toContainText(text);

/** Opens the queue anew: what was registered since is in it. */
async function readQueue(page: Page, length: number): Promise<void> {
  await page.getByRole('link', { name: /^Reports/ }).click();
  await page.getByRole('link', { name: /^Queue/ }).click();
  await expect(rows(page)).toHaveCount(length);
  await expect(page.getByRole('link', { name: `Queue ${length}`, exact: true })).toBeVisible();
}

test(
  'the address loses its token, and the page has no way to it',
  { tag: ['@desktop', '@all'] },
  async ({ console: page }) => {
    await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    await expect(page).toHaveTitle('Console – Agent Registry');
    expect(await page.evaluate(() => document.cookie)).toBe('');
    expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
    await expect(page.getByText('Nothing waits for review.')).toBeVisible();
    await expect(page.getByText('You are Ana')).toBeVisible();
  },
);

test(
  'a page on another port, to which the browser sends the cookie, can neither call nor embed the console',
  {
    tag: ['@desktop', '@all'],
  },
  async ({ console: page, client, register }) => {
    const { id } = await register({ name: 'Guarded Otter' });
    const { origin } = new URL(page.url());
    const attacker = await page.context().newPage();
    await attacker.route('http://127.0.0.1:1/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Attack' }),
    );
    await attacker.goto('http://127.0.0.1:1/');
    const release = JSON.stringify({ verb: 'release', targets: [{ id }] });
    const sent = attacker.waitForRequest(`${origin}/trpc/act`);
    await attacker.evaluate(
      async ([address, body]) => {
        const call = `${address}/trpc/act`;
        for (const type of ['text/plain', 'application/json']) {
          const headers = { 'content-type': type };
          const options: RequestInit = { method: 'POST', credentials: 'include', headers, body };
          await fetch(call, { ...options, mode: type === 'text/plain' ? 'no-cors' : 'cors' }).catch(() => {});
        }
        const frame = document.createElement('iframe');
        const embedded = new Promise((resolve) => frame.addEventListener('load', resolve));
        frame.src = address;
        document.body.append(frame);
        await embedded;
      },
      [origin, release] as const,
    );
    expect((await sent).postData()).toBe(release);
    expect(attacker.frames().map((frame) => frame.url())).not.toContain(`${origin}/`);
    await expect(client.agents.get.query({ id })).rejects.toThrow();
    // The same call from the console's own page.
    const status = await page.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/trpc/act', { method: 'POST', headers, body })).status;
    }, release);
    expect(status).toBe(200);
    expect(await client.agents.get.query({ id })).toMatchObject({ name: 'Guarded Otter' });
    await attacker.close();
  },
);

test(
  'the operator reviews by keys: next, previous, release, refuse with a reason, hide, undo',
  { tag: '@desktop' },
  async ({ console: page, client, register }) => {
    await register({ name: 'Held Badger' });
    const stoat = await register({ name: 'Held Stoat' });
    await register({ name: 'Held Weasel' });
    await readQueue(page, 3);
    const current = page.getByRole('heading', { level: 2 });
    await expect(current).toHaveText('Held Badger');
    for (const [pressed, name] of [
      ['j', 'Held Stoat'],
      ['j', 'Held Weasel'],
      ['j', 'Held Weasel'],
      ['k', 'Held Stoat'],
    ] as const) {
      await page.keyboard.press(pressed);
      await expect(current).toHaveText(name);
    }
    // A key that is held acts once.
    for (const step of ['down', 'down', 'up'] as const) await page.keyboard[step]('x');
    await expect(page.getByLabel('Choose Held Stoat')).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Choose Held Stoat')).not.toBeChecked();
    await expect(page.getByText('The owner reads that it is listed.')).toBeVisible();
    await page.keyboard.press('r');
    await status(page, 'Released: Held Stoat.');
    await expect(rows(page)).toHaveCount(2);
    await expect(current, 'the next one is read').toHaveText('Held Weasel');
    expect(await client.agents.get.query({ id: stoat.id })).toMatchObject({ name: 'Held Stoat' });

    await page.keyboard.press('u');
    await status(page, 'Taken back. Held: Held Stoat.');
    await expect(rows(page)).toHaveCount(3);
    await expect(current).toHaveText('Held Stoat');
    await expect(client.agents.get.query({ id: stoat.id })).rejects.toThrow();

    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog', { name: 'Refuse 1 entry' });
    await expect(dialog.getByLabel('Reason')).toBeFocused();
    // Keys are letters in a field.
    await page.keyboard.type('Whose junk is it?');
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await status(page, /^Refused: Held \w+\./);
    await expect(dialog).toBeHidden();
    await expect(rows(page)).toHaveCount(2);

    await page.keyboard.press('h');
    const hiding = page.getByRole('dialog', { name: 'Hide 1 entry' });
    await hiding.getByRole('button', { name: 'Hide' }).click();
    await expect(hiding.getByLabel('Reason')).toHaveJSProperty('validity.valueMissing', true);
    await hiding.getByLabel('Reason').fill('Spam');
    await page.keyboard.press('Enter');
    await status(page, /^Hidden: Held \w+\./);
    await expect(rows(page)).toHaveCount(1);
    await page.keyboard.press('u');
    await status(page, /^Taken back. Shown again: Held/);
    await expect(rows(page)).toHaveCount(2);

    await page.getByRole('switch', { name: 'Keys' }).click();
    await page.keyboard.press('r');
    await expect(rows(page)).toHaveCount(2);
  },
);

test(
  'the entry that is read stays on the screen while the list and its text scroll',
  { tag: ['@desktop', '@all'] },
  async ({ console: page, register }) => {
    for (let index = 0; index < 25; index += 1) await register({ name: `Long Queue ${index}` });
    await readQueue(page, 25);
    const heading = page.getByRole('heading', { level: 2 });
    for (let index = 0; index < 24; index += 1) await page.keyboard.press('j');
    await expect(heading).toHaveText('Long Queue 24');
    await expect(heading).toBeInViewport({ ratio: 1 });
    await expect(rows(page).last()).toBeInViewport({ ratio: 0.9 });
    await expect(page.getByRole('button', { name: 'Release' })).toBeInViewport({ ratio: 1 });
  },
);

test(
  'an edit is a difference for each field, and what its owner changes meanwhile is not released',
  { tag: ['@desktop', '@all'] },
  async ({ console: page, client, list }) => {
    const { id } = await list({
      name: 'Edited Otter',
      description: 'Sorts the mail of otters.',
      capabilities: ['one', 'two'],
      website: 'https://mail.example/',
    });
    const edit = (fields: object) => client.agents.update.mutate({ id, ...fields }, { context: { key } });
    await edit({ description: 'Sorts the letters of otters.', capabilities: ['two', 'three'], website: otter.website });
    await readQueue(page, 1);
    await expect(rows(page)).toContainText('Automation & Workflow · mail.example');
    await expect(rows(page)).toContainText('Edit: Description, Capabilities, Website');
    const details = page.getByRole('region', { name: 'Edited Otter' });
    await expect(details.locator('del')).toHaveText(['mail ', 'one', 'https://mail.example/']);
    await expect(details.locator('ins')).toHaveText(['letters ', 'three', 'https://otter.example/']);

    await edit({ description: 'Buy now.' });
    await details.getByRole('button', { name: 'Release' }).click();
    await status(page, 'no longer as you saw it');
    await expect(details.locator('ins').first()).toHaveText('Buy now.');
    await details.getByRole('button', { name: 'Refuse' }).click();
    await page.getByLabel('Reason').fill('No adverts');
    await page.keyboard.press('Enter');
    await status(page, 'Refused: Edited Otter.');
    expect(await client.agents.get.query({ id })).toMatchObject({ description: 'Sorts the mail of otters.' });
  },
);

test(
  'many entries are decided on at once, and taken back at once',
  { tag: ['@desktop', '@all'] },
  async ({ console: page, register }) => {
    for (const name of ['Many One', 'Many Two', 'Many Three']) await register({ name });
    await readQueue(page, 3);
    await page.getByLabel('Choose Many One').check();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await expect(page.getByLabel('Choose Many Two')).toBeChecked();
    await page.getByRole('button', { name: 'Release 2 chosen' }).click();
    await status(page, 'Released: 2 entries.');
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(rows(page)).toHaveCount(3);
    await page.getByLabel('All shown').check();
    await page.getByRole('button', { name: 'Hide 3 chosen' }).click();
    await page.getByLabel('Reason').fill('Spam');
    await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
    await status(page, 'Hidden: 3 entries.');
    await expect(page.getByText('Nothing waits for review.')).toBeVisible();
  },
);

test(
  'reports are read, dismissed, or lead to hiding the entry',
  { tag: ['@desktop', '@all'] },
  async ({ console: page, client, list, registry }) => {
    const heron = await list({ name: 'Reported Heron' });
    for (const [{ id }, text] of [
      [await list({ name: 'Reported Otter' }), 'It is not about otters.'],
      [heron, '<b>Its</b> website is mine.'],
    ] as const) {
      await client.agents.report.mutate({ id, reason: 'misleading', text });
    }
    await page.getByRole('link', { name: 'Reports' }).click();
    await expect(page.getByText('2 listed entries have reports.')).toBeVisible();
    const reported = page.getByRole('region', { name: 'Reported entries' }).getByRole('listitem');
    const read = page.getByRole('region', { name: /^Reported (?:Otter|Heron)$/ });
    await reported.filter({ hasText: 'Reported Otter' }).getByRole('button').click();
    await expect(read).toContainText('It is not about otters.');
    await expect(read.getByRole('button', { name: /^(?:Dismiss|Hide)/ }).first()).toHaveText('Dismiss 1 reportd');
    await page.keyboard.press('d');
    await status(page, 'Dismissed: 1 report.');
    await expect(reported).toHaveCount(1);
    await expect(read).toContainText('<b>Its</b> website is mine.');
    // With what the entry itself says.
    await expect(read).toContainText(validAgent.description);
    await read.getByRole('button', { name: 'Hide' }).click();
    await page.getByLabel('Reason').fill('Not theirs');
    await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
    await expect(page.getByText('No listed entry has reports.')).toBeVisible();
    const response = await fetch(`${registry.url}/agent/${heron.id}`);
    expect(response.status).toBe(404);
  },
);

test(
  'one entry has its fields, history, reports and the actions on it',
  { tag: ['@desktop', '@all'] },
  async ({ console: page, client, register, registry }) => {
    const { id } = await register({ name: 'Whole Otter' });
    await registry.command('release', id, '--by', 'Ben', '--reason', 'Known to us');
    await client.agents.report.mutate({ id, reason: 'broken', text: 'Gives 404.' });
    await page.getByRole('textbox', { name: 'Id or address' }).fill(`${registry.url}/agent/${id}?manage=edit`);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Whole Otter');
    await expect(page.getByText('Its owner has a management key.')).toBeVisible();
    await expect(page.getByText('Gives 404.')).toBeVisible();
    const actions = page.getByRole('region', { name: 'Actions of operators' });
    await expect(actions).toContainText('release by Ben: Known to us');
    await expect(page.getByRole('region', { name: 'History' })).toContainText('Listed by operator');
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await status(page, 'Withdrawn: Whole Otter.');
    await expect(actions).toContainText('withdraw by Ana');
    await page.getByRole('button', { name: 'Restore' }).click();
    await status(page, 'Restored: Whole Otter.');
    await page.getByRole('button', { name: 'Dismiss 1 report' }).click();
    await expect(page.getByText('Gives 404.')).toBeHidden();
  },
);

test(
  'the field of the header opens an entry, says what is no id or unknown, and keeps its keys from the queue',
  { tag: ['@desktop', '@all'] },
  async ({ console: page, register }) => {
    const { id } = await register({ name: 'Typed Otter' });
    await readQueue(page, 1);
    const field = page.getByRole('textbox', { name: 'Id or address' });
    await field.pressSequentially('refuse');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Open' }).click();
    await expect(page.getByText('Enter the id of an entry, or the address of its page.')).toBeVisible();
    await field.fill('00000000-0000-4000-8000-000000000000');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No agent has this id.')).toBeVisible();
    await expect(field).toHaveValue('');
    await field.fill(id);
    await page.getByRole('button', { name: 'Open' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Typed Otter');
    await expect(page.getByText(/^Held since/)).toBeVisible();
  },
);

test('a page whose console has ended says what to do', { tag: ['@desktop', '@all'] }, async ({ page, registry }) => {
  const opened = await registry.openConsole();
  await page.goto(opened.url);
  await expect(page.getByText('Nothing waits for review.')).toBeVisible();
  expect(await opened.stop('SIGTERM')).toBe(0);
  await page.getByRole('link', { name: 'Reports' }).click();
  await expect(page.getByText('The console has ended. Start it again: registry console.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('texts of strangers stay text, in each part of the console', async ({
  console: page,
  client,
  register,
  list,
  registry,
}) => {
  const { id } = await list({ name: 'Reported Stoat' });
  const texts = [...hostileTexts.markup, ...hostileTexts['direction of writing']].slice(0, 3);
  for (const text of texts) {
    await client.agents.report.mutate({
      id,
      reason: 'other',
      text: text.replace(/\p{Bidi_Control}/gu, ''),
    });
  }
  await register({ name: '<img src=x onerror=alert(1)>', description: '</script><script>alert(1)</script>' });
  await readQueue(page, 1);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('<img src=x onerror=alert(1)>');
  await page.getByRole('link', { name: /^Reports/ }).click();
  await expect(page.getByText(texts[0] ?? '', { exact: true })).toBeVisible();
  expect(await page.locator('img, main script').count()).toBe(0);
  expect((await fetch(registry.url)).status).toBe(200);
});

test('every page is accessible in both colour schemes, and reflows', async ({ console: page, client, register }) => {
  const { id } = await register({ name: 'Accessible Otter' });
  await client.agents.report.mutate({ id: otter.id, reason: 'other', text: 'Read me.' });
  await readQueue(page, 1);
  await expectNoViolations(page);
  await expectReflow(page);
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoViolations(page, '[role=dialog]');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Hide' })).toBeFocused();
  for (const [path, text] of [
    ['/reports', 'Read me.'],
    [`/agents/${id}`, 'Actions of operators'],
  ] as const) {
    await page.goto(new URL(path, page.url()).href);
    await expect(page.getByText(text)).toBeVisible();
    await expectNoViolations(page, 'main');
    await expectReflow(page);
  }
});
