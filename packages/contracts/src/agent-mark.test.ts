import { describe, expect, test } from 'vitest';
import { MARK_SHADE, toAgentMark } from './agent-mark.ts';
import { defaultCategories, type Category } from './category.ts';

const [chatbot] = defaultCategories as [Category];
const id = '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f';

test.each([
  ['Front Desk 24', 'FD'],
  ['otterdesk', 'O'],
  ['C++ Build Mender', 'CB'],
  ['  "Weld" (Eye) ', 'WE'],
  ['multi-agent', 'MA'],
  ['24/7 Help', '27'],
  ['éclair', 'É'],
  ['敬語コーチ', '敬'],
  ['한국어 도우미', '한'],
  ['GPT 助手', 'G'],
  ['🦦 Otter', '🦦'],
  ['👩‍💻 Coder', '👩‍💻'],
  ['🇪🇪 Eesti', '🇪🇪'],
  ['???', '?'],
])('the initials of %j are %j', (name, initials) => {
  expect(toAgentMark({ id, name }, chatbot).initials).toBe(initials);
});

describe.each(defaultCategories)('in the category $id', (category) => {
  const marks = Array.from({ length: 400 }, (_, index) => toAgentMark({ id: String(index), name: 'Otter' }, category));

  test('white initials have a contrast of at least 4.5 to 1 on every colour below the shade', () => {
    const contrasts = marks
      .flatMap(({ pattern }) => pattern)
      .map(({ colour }) => 1.05 / (readLuminance(colour, MARK_SHADE.colour) + 0.05));
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
  });

  test('a mark has three steps of one hue', () => {
    for (const { pattern } of marks) {
      const colours = pattern.map(({ colour }) => colour);
      expect(new Set(colours.map((colour) => colour.split(',')[0])).size).toBe(1);
      expect(new Set(colours).size).toBe(3);
      expect(pattern.map(({ path }) => path)).not.toContain('');
    }
  });

  test('agents differ, and one agent always looks the same', () => {
    expect(new Set(marks.map(({ pattern }) => JSON.stringify(pattern))).size).toBeGreaterThan(380);
    expect(toAgentMark({ id, name: 'Otter' }, category)).toEqual(toAgentMark({ id, name: 'Otter' }, category));
  });
});

/** The relative luminance of an `hsl()` colour below a shade, which is black with an opacity in hexadecimal (WCAG 2). */
function readLuminance(colour: string, shade: string): number {
  const light = 1 - Number.parseInt(shade.slice(-2), 16) / 255;
  const [hue = 0, saturation = 0, lightness = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  const [s, l] = [saturation / 100, lightness / 100];
  const [red = 0, green = 0, blue = 0] = [0, 8, 4].map((n) => {
    const k = (n + hue / 30) % 12;
    const channel = light * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
