/** Roles and e-mail addresses of users. */
import { expect, test } from 'vitest';
import { parseEmail, ROLES, roleCovers } from './user.ts';

test('a role covers itself and all below it', () => {
  const covered = ROLES.map((role) => ROLES.filter((needed) => roleCovers(role, needed)));
  expect(covered).toEqual([
    ['owner', 'developer', 'support', 'viewer'],
    ['developer', 'support', 'viewer'],
    ['support', 'viewer'],
    ['viewer'],
  ]);
});

test.each([
  [' Ada@Example.COM ', 'ada@example.com'],
  ['ada+calls@mail.example.com', 'ada+calls@mail.example.com'],
  ['ada@example', null],
  ['ada', null],
  ['a@b@example.com', null],
  ['<b>@example.com', null],
  ['ada@example.com, eve@example.com', null],
  [`${'a'.repeat(65)}@example.com`, null],
  [`ada@${'a'.repeat(250)}.com`, null],
  ['ada\u0000@example.com', null],
  ['ada@\u202emoc.elpmaxe', null],
  ['ada\u200f@example.com', null],
])('the address %j is %j', (text, email) => {
  expect(parseEmail(text)).toBe(email);
});
