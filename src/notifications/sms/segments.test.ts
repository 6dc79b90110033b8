import { SegmentedMessage } from 'sms-segments-calculator';
import { expect, it } from 'vitest';
import { countSegments } from './segments.ts';

function libraryCount(text: string) {
  const { encodingName: encoding, segmentsCount: segments } = new SegmentedMessage(text);
  return { encoding, segments };
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

it.each([1, 160, 161, 307])('counts a text of %i times each ASCII character as the library does', (length) => {
  for (const character of ASCII) {
    const text = character.repeat(length);
    expect({ character, ...countSegments(text) }).toEqual({ character, ...libraryCount(text) });
  }
});

it('counts plain words, an accent of GSM-7, and characters beyond GSM-7', () => {
  expect(countSegments('You paid $42.50.')).toEqual({ encoding: 'GSM-7', segments: 1 });
  expect(countSegments('é'.repeat(161))).toEqual({ encoding: 'GSM-7', segments: 2 });
  expect(countSegments('á'.repeat(71))).toEqual({ encoding: 'UCS-2', segments: 2 });
});
