import type { Location } from 'react-router-dom';
import { createRequiredContext } from '../components/required-context.ts';

/** How far down a page was scrolled, and how tall it was then, in CSS pixels. */
export type View = { top: number; height: number };

/** What is kept of a place in the tab's history. */
export type Place = {
  view?: View;
  /** How many cards were shown. */
  cardsShown?: number;
};

/** What is kept of the places in the tab's history. */
export type PlaceMemory = {
  /** What is kept of a place. */
  readPlace(location: Location): Place;
  /** Keeps more of a place, which is the current one if nothing was kept of it before. */
  keepPlace(location: Location, part: Place): void;
  /** Writes all places down for the time after a reload, as far as the browser allows it. */
  savePlaces(): void;
};

const PLACES_KEY = 'agent-registry.places';

/** The router's word for the key of a place that it has not made: a fragment that was typed, a plain link to one. */
const NO_KEY = 'default';

/** Sees to it that the place at which the page was opened has a key of its own, before a router is made. */
export function prepareFirstPlace(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const { key } = (window.history.state ?? {}) as { key?: string };
  // An address that is typed again is a new place.
  if (key === undefined || navigation?.type === 'navigate') giveKey();
}

/** Gives the current place in the history a key, as the router does with those that it makes. */
function giveKey(): string {
  const key = Math.random().toString(36).slice(2);
  window.history.replaceState({ ...window.history.state, key }, '');
  return key;
}

/** Makes a memory that holds the places of earlier in the tab. */
export function createPlaceMemory(): PlaceMemory {
  const places = readPlaces();
  const givenKeys = new WeakMap<Location, string>();
  const keyOf = (location: Location) => givenKeys.get(location) ?? location.key;
  return {
    readPlace: (location) => places[keyOf(location)] ?? {},
    keepPlace(location, part) {
      if (keyOf(location) === NO_KEY) givenKeys.set(location, giveKey());
      const key = keyOf(location);
      places[key] = { ...places[key], ...part };
    },
    savePlaces() {
      try {
        sessionStorage.setItem(PLACES_KEY, JSON.stringify(places));
      } catch {
        // Then a reload begins at the top.
      }
    },
  };
}

function readPlaces(): Record<string, Place> {
  try {
    return JSON.parse(sessionStorage.getItem(PLACES_KEY) ?? '{}') as Record<string, Place>;
  } catch {
    // Nothing that can be read, or no browser.
    return {};
  }
}

/** Gives the pages the memory of places, and reads it; writing to it renders nothing anew. */
export const [PlaceMemoryContext, usePlaceMemory] = createRequiredContext<PlaceMemory>('the memory of places');
