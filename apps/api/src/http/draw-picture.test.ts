import { expect, test } from 'vitest';
import { drawPicture } from './draw-picture.ts';

const draw = async (title: string) =>
  (await drawPicture({ title, subtitle: 'Computer Vision', colour: '#1971c2' })).toString('base64');

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
