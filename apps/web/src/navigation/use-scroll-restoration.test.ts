import { expect, test } from 'vitest';
import { decideScroll, type Place } from './use-scroll-restoration.ts';
import type { LocationState } from './location-state.ts';

const home = at('/');
const agent = at('/agent/1');
const position = { top: 900, pageHeight: 4_000 };

const toHash = { to: 'hash', isSmooth: false, onlyIfLoading: false };
const toPosition = { to: 'position', position, onlyIfNear: false };

function at(path: string, state: LocationState | null = null): Place {
  const { pathname, search, hash } = new URL(path, 'http://localhost');
  return { pathname, search, hash, state };
}

test.each<[navigation: string, from: Place | undefined, to: Place, scroll: object, focus: unknown]>([
  ['a first visit', undefined, home, { to: 'stay' }, 'stay'],
  ['a first visit to a section', undefined, at('/#register'), { ...toHash, onlyIfLoading: true }, 'hash'],
  ['a reload of a further page of a list', undefined, at('/', { toResults: true }), results(false), 'stay'],
  ['a link to another page', home, agent, { to: 'top' }, 'page'],
  ['a link to a form of the same agent', agent, at('/agent/1?manage=edit'), { to: 'top' }, 'page'],
  ['a link from a form to another', at('/agent/1?manage=edit'), at('/agent/1?manage=key'), { to: 'top' }, 'page'],
  ['a link to a section of another page', agent, at('/#categories'), toHash, 'hash'],
  ['a link to a section of the same page', home, at('/#categories'), { ...toHash, isSmooth: true }, 'hash'],
  ['the end of a form of the same page', agent, at('/agent/1', { toHeading: true }), { to: 'top' }, 'heading'],
  ['the end of a form', home, at('/agent/1', { toHeading: true }), { to: 'top' }, 'heading'],
  ['a link to the same page', home, at('/?sort=name'), { to: 'top' }, 'stay'],
  ['a list chosen on the home page', home, at('/?q=mail', { toResults: true }), results(false), 'stay'],
  ['a list chosen on another page', agent, at('/?q=mail', { toResults: true }), results(true), 'page'],
  ['more cards', home, at('/?after=1', { keepScroll: true, cardsShown: 24 }), { to: 'stay' }, 'stay'],
  ['a hash that is removed', at('/agent/1#x'), at('/agent/1', { keepScroll: true }), { to: 'stay' }, 'stay'],
  ['back or forward to an entry without a position', agent, home, { to: 'top' }, 'page'],
])('%s', (_navigation, from, to, scroll, focus) => {
  expect(decideScroll(to, from, undefined)).toEqual({ scroll, focus });
});

test.each<[navigation: string, from: Place | undefined, to: Place, scroll: object, focus: unknown]>([
  ['a reload', undefined, home, { ...toPosition, onlyIfNear: true }, 'stay'],
  ['back or forward to another page', agent, home, toPosition, { linkTo: '/agent/1' }],
  ['back from a form of an agent', at('/agent/1?manage=edit'), agent, toPosition, { linkTo: '/agent/1?manage=edit' }],
  ['back or forward on the same page', at('/?q=mail'), home, toPosition, 'stay'],
  ['back or forward to a section', agent, at('/#register'), toPosition, { linkTo: '/agent/1' }],
  ['back or forward to a list', agent, at('/?q=a', { toResults: true }), toPosition, { linkTo: '/agent/1' }],
  ['back or forward to more cards', agent, at('/', { keepScroll: true }), toPosition, { linkTo: '/agent/1' }],
])('with a saved position, %s', (_navigation, from, to, scroll, focus) => {
  expect(decideScroll(to, from, position)).toEqual({ scroll, focus });
});

function results(fromTop: boolean) {
  return { to: 'results', fromTop };
}
