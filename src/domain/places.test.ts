import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Places } from './places.ts';

test('holds what has come and has not gone, however they come and go', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat({ max: 20 }), { nil: null })), (steps) => {
      const places = new Places<number>();
      const here: { item: number; place: number }[] = [];
      for (const [item, leaving] of steps.entries()) {
        if (leaving === null) here.push({ item, place: places.take(item) });
        else for (const { place } of here.splice(leaving, 1)) places.leave(place);
      }
      expect([...places].sort((a, b) => a - b)).toEqual(here.map(({ item }) => item));
      expect(places.size).toBe(here.length);
    }),
  );
});

test('a place that was left is given again', () => {
  const places = new Places<string>();
  const first = places.take('first');
  places.take('second');
  places.leave(first);
  expect(places.take('third')).toBe(first);
});
