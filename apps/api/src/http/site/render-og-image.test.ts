import { defaultCategories, toAgentMark, type AgentMark } from '@agent-registry/contracts';
import { expect, test } from 'vitest';
import { renderOgImage, type OgImageContent } from './render-og-image.ts';

const render = async (name: string, heading = 'Computer Vision') =>
  Buffer.from(await renderOgImage({ name, heading, colour: '#1971c2' })).toString('base64');

test('an image is a PNG of 1200×630 pixels', async () => {
  const png = Buffer.from(await render('Front Desk'), 'base64');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630]);
});

test.each([
  ['Latin', 'Front Desk', 'Front Dusk'],
  ['Vietnamese', 'Trợ lý Đặng', 'Trợ lý Đắng'],
  ['Greek', 'Ωμέγα', 'Ωμέγω'],
  ['Cyrillic', 'Помощник', 'Помощница'],
  ['emoji', 'Robo 🤖', 'Robo 🚀'],
])('names in %s are shown', async (_, one, other) => {
  expect(await render(one)).not.toBe(await render(other));
});

test.each([
  ['Chinese', '翻译助手'],
  ['Arabic', 'مساعد'],
  ['Thai', 'ผู้ช่วยแปลภาษา'],
  ['a script and Latin', 'Office 翻译'],
  ['a combining mark', 'e\u0331'],
  ['a noncharacter', 'A\uFFFF'],
])('a name of which no font has all characters (%s) falls back to the image of its category', async (_, name) => {
  const image = await render(name);
  expect(image).toBe(await render('مرحبا'));
  expect(image).not.toBe(await render(name, 'Creative & Content'));
});

test('an image shows the mark of its agent, unless its name cannot be shown', async () => {
  const content = { name: 'Front Desk', heading: 'Computer Vision', colour: '#1971c2' };
  const draw = async (name: string, mark?: AgentMark) =>
    Buffer.from(await renderOgImage({ ...content, name, ...(mark && { mark }) })).toString('base64');
  const [one, other] = ['1', '2'].map((id) => toAgentMark({ id, name: 'Front Desk' }, defaultCategories[0]!));
  const images = await Promise.all([draw('Front Desk'), draw('Front Desk', one), draw('Front Desk', other)]);
  expect(new Set(images).size).toBe(3);
  expect(await draw('翻译', one)).toBe(await draw('翻译'));
});

test('a name that is decomposed is shown as the composed one', async () => {
  expect(await render('Cafe\u0301')).toBe(await render('Café'));
});

test('a name that overflows is cut with an ellipsis', async () => {
  const shown = await render('W'.repeat(80));
  expect(shown).toBe(await render('W'.repeat(100)));
  expect(shown).not.toBe(await render('W'.repeat(40)));
});

test('a name is text, not markup', async () => {
  expect(await render('<b>&amp;')).not.toBe(await render('&'));
});

test('an image shows two lines of a description, and the terms', async () => {
  const content = { name: 'Front Desk', heading: 'Computer Vision', colour: '#1971c2' };
  const draw = async (given: Partial<OgImageContent>) =>
    Buffer.from(await renderOgImage({ ...content, ...given })).toString('base64');
  const [bare, described] = [await draw({}), await draw({ description: 'Answers the phone.' })];
  expect(described).not.toBe(bare);
  expect(await draw({ terms: ['Free', 'API'] })).not.toBe(bare);
  const long = 'word '.repeat(40);
  expect(await draw({ description: `${long}one` })).toBe(await draw({ description: `${long}two` }));
  // The fonts have no Chinese.
  expect(await draw({ description: '翻译助手' })).toBe(bare);
});
