// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchControls } from './TooltipLayer.tsx';

let open: string | undefined;
let stop: () => void;

// jsdom has no media queries. There is no pointer over a control at first.
window.matchMedia = (media) => ({ media, matches: false }) as MediaQueryList;

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `
    <button data-tooltip="First" data-testid="first"><span data-testid="icon"></span></button>
    <button data-tooltip="Second" data-testid="second"></button>
    <button data-tooltip="Rest" data-tooltip-on-press data-testid="rest"></button>
    <p data-tooltip-if-cut data-testid="text">A long text</p>
    <p data-testid="elsewhere"></p>`;
  open = undefined;
  stop = watchControls((tooltip) => (open = tooltip?.text));
});
afterEach(() => {
  stop();
  document.body.innerHTML = '';
  vi.useRealTimers();
});

const on = (id: string) => screen.getByTestId(id);
const point = (id: string, pointerType = 'mouse') => fireEvent.pointerOver(on(id), { pointerType });

test('a tooltip opens after the control was hovered for 700 ms', () => {
  point('first');
  vi.advanceTimersByTime(400);
  point('icon');
  vi.advanceTimersByTime(299);
  expect(open).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(open).toBe('First');
});

test('the next opens at once within 300 ms of the last, and not later', () => {
  point('first');
  vi.advanceTimersByTime(700);
  point('elsewhere');
  expect(open).toBeUndefined();
  vi.advanceTimersByTime(299);
  point('second');
  expect(open).toBe('Second');
  point('elsewhere');
  vi.advanceTimersByTime(300);
  point('first');
  expect(open).toBeUndefined();
});

test.each([
  ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
  ['a press', () => fireEvent.pointerDown(on('icon'))],
  ['a click by keyboard', () => fireEvent.click(on('first'))],
])('%s closes an open tooltip and cancels a pending one', (_name, act) => {
  point('first');
  act();
  vi.advanceTimersByTime(700);
  expect(open).toBeUndefined();
  point('second');
  vi.advanceTimersByTime(700);
  expect(open).toBe('Second');
  act();
  expect(open).toBeUndefined();
  point('second');
  vi.advanceTimersByTime(700);
  expect(open).toBeUndefined();
});

test('Escape of an input method leaves a tooltip open', () => {
  point('first');
  vi.advanceTimersByTime(700);
  fireEvent.keyDown(document.body, { key: 'Escape', isComposing: true });
  expect(open).toBe('First');
});

test('touch opens only tooltips that open on press, until a touch elsewhere', () => {
  point('first', 'touch');
  vi.advanceTimersByTime(700);
  expect(open).toBeUndefined();
  fireEvent.pointerDown(on('rest'));
  fireEvent.click(on('rest'));
  expect(open).toBe('Rest');
  fireEvent.pointerDown(on('elsewhere'));
  expect(open).toBeUndefined();
});

test('a text has a tooltip only if it is cut', () => {
  point('text');
  vi.advanceTimersByTime(700);
  expect(open).toBeUndefined();
  point('elsewhere');
  Object.defineProperty(on('text'), 'scrollHeight', { value: 40 });
  point('text');
  vi.advanceTimersByTime(700);
  expect(open).toBe('A long text');
});
