import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { render } from '../../testing/render.tsx';
import { useToast, type Toast } from '../../lib/toast-context.ts';

const first: Toast = { title: 'Draft saved', message: 'Your draft is kept.', variant: 'default' };
const second: Toast = { title: 'Error', message: '400: Name is required.', variant: 'destructive' };

function Page() {
  const show = useToast();
  return (
    <>
      <button type="button" onClick={() => show(first)}>
        First
      </button>
      <button type="button" onClick={() => show(second)}>
        Second
      </button>
    </>
  );
}

/** The titles of the visible toasts. */
const titles = () => screen.queryAllByText(/^(Draft saved|Error)$/).map((title) => title.textContent);
const readOut = () => document.querySelector('[aria-live=polite]');
const viewport = () => screen.getByRole('region', { name: 'Notifications (F8)' });
const elsewhere = () => screen.getByRole('button', { name: 'First' });
const closeButton = () => screen.getByRole('button', { name: 'Dismiss notification' });
const pressF8 = () => fireEvent.keyDown(document.activeElement!, { key: 'F8', code: 'F8' });
const focus = (element: HTMLElement) => act(() => element.focus());

function pass(milliseconds: number) {
  // A closed toast is removed in a timer of 0 ms.
  for (const step of [milliseconds, 0]) {
    act(() => {
      vi.advanceTimersByTime(step);
    });
  }
}

function click(element: HTMLElement) {
  fireEvent.click(element);
  pass(0);
}

const showFirst = () => click(screen.getByRole('button', { name: 'First' }));
const showSecond = () => click(screen.getByRole('button', { name: 'Second' }));
const dismiss = () => click(closeButton());

beforeEach(() => {
  vi.useFakeTimers();
  render(<Page />);
});
afterEach(() => {
  vi.useRealTimers();
});

test('a new toast replaces the last one at once', () => {
  showFirst();
  expect(titles()).toEqual(['Draft saved']);
  showSecond();
  expect(titles()).toEqual(['Error']);
});

test('a toast is a status, and a destructive one an alert', () => {
  showFirst();
  expect(screen.getByRole('status').textContent).toContain('Your draft is kept.');
  showSecond();
  expect(screen.getByRole('alert').textContent).toContain('400: Name is required.');
});

test('the live region exists before the first toast, and announces the same toast again', () => {
  const region = readOut();
  expect(region?.textContent).toBe('');
  showFirst();
  expect(readOut()).toBe(region);
  expect(region?.textContent).toBe('Draft saved Your draft is kept.');
  expect(screen.getByRole('status').getAttribute('aria-live')).toBe('off');
  const text = region?.firstChild;
  showFirst();
  expect(region?.textContent).toBe('Draft saved Your draft is kept.');
  expect(region?.firstChild).not.toBe(text);
  pass(1_000);
  expect(region?.textContent).toBe('');
  expect(titles()).toEqual(['Draft saved']);
});

test('a destructive toast is announced once, as an alert', () => {
  showFirst();
  showSecond();
  expect(readOut()?.textContent).toBe('');
});

describe('a toast closes', () => {
  test('after 5,000 ms', () => {
    showFirst();
    pass(4_999);
    expect(titles()).toEqual(['Draft saved']);
    pass(1);
    expect(titles()).toEqual([]);
  });

  test('after its own 5,000 ms, whatever time the last one had left', () => {
    showFirst();
    pass(4_000);
    showSecond();
    pass(4_999);
    expect(titles()).toEqual(['Error']);
    pass(1);
    expect(titles()).toEqual([]);
  });

  test('when it is dismissed', () => {
    showFirst();
    dismiss();
    expect(titles()).toEqual([]);
  });
});

describe('the timer of a toast is paused', () => {
  test('while it is hovered, and then continues', () => {
    showFirst();
    pass(3_000);
    fireEvent.pointerEnter(viewport(), { pointerType: 'mouse' });
    pass(60_000);
    expect(titles()).toEqual(['Draft saved']);
    fireEvent.pointerLeave(viewport(), { pointerType: 'mouse' });
    pass(1_999);
    expect(titles()).toEqual(['Draft saved']);
    pass(1);
    expect(titles()).toEqual([]);
  });

  test('while it has focus, and then continues', () => {
    showFirst();
    pass(3_000);
    focus(closeButton());
    pass(60_000);
    expect(titles()).toEqual(['Draft saved']);
    focus(elsewhere());
    pass(1_999);
    expect(titles()).toEqual(['Draft saved']);
    pass(1);
    expect(titles()).toEqual([]);
  });

  test.each(['the page', 'another element'])('no longer after a toast with focus from %s was dismissed', (from) => {
    if (from === 'another element') focus(elsewhere());
    showFirst();
    focus(closeButton());
    dismiss();
    showSecond();
    pass(5_000);
    expect(titles()).toEqual([]);
  });

  test('no longer after a toast with focus was replaced, and the focus is elsewhere', () => {
    showFirst();
    focus(closeButton());
    showSecond();
    focus(elsewhere());
    pass(5_000);
    expect(titles()).toEqual([]);
  });
});

describe('F8', () => {
  test('moves focus to the viewport', () => {
    showFirst();
    pressF8();
    expect(viewport()).toBe(document.activeElement);
    expect(titles()).toEqual(['Draft saved']);
  });

  test('belongs to an input method while it composes', () => {
    showFirst();
    focus(elsewhere());
    expect(fireEvent.keyDown(elsewhere(), { key: 'F8', isComposing: true })).toBe(true);
    expect(elsewhere()).toBe(document.activeElement);
  });

  test('does nothing before there was a toast', () => {
    focus(elsewhere());
    pressF8();
    expect(titles()).toEqual([]);
    expect(elsewhere()).toBe(document.activeElement);
  });

  test('reopens the last dismissed toast, which then closes like any other', () => {
    showFirst();
    pass(5_000);
    showSecond();
    dismiss();
    focus(elsewhere());
    pressF8();
    expect(titles()).toEqual(['Error']);
    expect(viewport()).toBe(document.activeElement);
    focus(elsewhere());
    pass(4_999);
    expect(titles()).toEqual(['Error']);
    pass(1);
    expect(titles()).toEqual([]);
  });

  test('reopens nothing while a toast is open', () => {
    showFirst();
    dismiss();
    showSecond();
    pressF8();
    expect(titles()).toEqual(['Error']);
  });

  test('reopens a toast again and again', () => {
    showFirst();
    for (let times = 0; times < 3; times++) {
      dismiss();
      expect(titles()).toEqual([]);
      pressF8();
      expect(titles()).toEqual(['Draft saved']);
    }
  });

  test.each([
    [999_999, ['Draft saved']],
    [1_000_000, []],
  ])('%d ms after the dismissal reopens %j', (milliseconds, expected) => {
    showFirst();
    dismiss();
    pass(milliseconds);
    pressF8();
    expect(titles()).toEqual(expected);
  });

  test('returns the focus when the toast is dismissed', () => {
    focus(elsewhere());
    showFirst();
    pressF8();
    focus(closeButton());
    dismiss();
    expect(elsewhere()).toBe(document.activeElement);
  });
});
