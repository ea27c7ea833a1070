import { expect, test } from 'vitest';
import { renderOgImage } from './render-og-image.ts';

const draw = async (title: string) =>
  (await renderOgImage({ title, subtitle: 'Computer Vision', colour: '#1971c2' })).toString('base64');

// Where a font lacks both, there are as many boxes in the one as in the other.
test.each([
  ['Latin', 'Front Desk', 'Front Dusk'],
  ['Greek', 'Ωμέγα', 'Ωμέγω'],
  ['Arabic', 'مساعد', 'مسافر'],
  ['Chinese', '翻译助手', '写作伙伴'],
  ['Japanese', 'ほんやくアプリ', 'ことばのアプリ'],
  ['Korean', '번역 도우미', '글쓰 도우미'],
  ['Thai', 'ผู้ช่วยแปลภาษา', 'ผู้ช่วยเขียนข่าว'],
  ['emoji', 'Robo 🤖', 'Robo 🚀'],
  ['emoji beside letters that are joined', 'Office flow 🤖', 'Office flow 🚀'],
  ['emoji beside some that are joined', '👩‍💻 🇩🇪 1️⃣ 👍🏽 🤖', '👩‍💻 🇩🇪 1️⃣ 👍🏽 🚀'],
  ['Chinese beside emoji and letters that are joined', 'Office 🤖 翻译', 'Office 🤖 写作'],
])('names in %s are told apart', async (_, one, other) => {
  expect(await draw(one)).not.toBe(await draw(other));
});

// A space is not drawn where a line ends, so that the same picture with one there shows where that is.
test.each([
  ['a text without spaces ends between words', 'ผู้ช่วยแปลภาษาไทยและเขียน', 'ข่าวสำหรับองค์กร'],
  ['a word that is longer than a line has the marks on its letters', 'é\u0331'.repeat(15), 'é\u0331'.repeat(5)],
])('where a line ends, %s', async (_, first, second) => {
  expect(await draw(first + second)).toBe(await draw(`${first} ${second}`));
});

test('the two letters of Thai am are drawn beside each other', async () => {
  expect(await draw('สำหรับ น้ำ')).toBe(await draw('สํ\u0E32หรับ นํ้\u0E32'));
});
