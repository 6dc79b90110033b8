import { describe, expect, it } from 'vitest';
import { credentialsFor, parseReturnCredentials, type ReturnCredentials } from './sip-credentials.ts';

const parsed = (text: string): ReturnCredentials => {
  const entry = parseReturnCredentials(text);
  if (entry === null) throw new Error('not parsed');
  return entry;
};

describe('credentials of return targets', () => {
  it('belong to a host, and to an account if one is named', () => {
    expect(parsed('PBX.example.com.=line:se:cr=et')).toEqual({
      host: 'pbx.example.com',
      accountId: null,
      username: 'line',
      password: 'se:cr=et',
    });
    expect(parsed('acct_1@[2001:db8::1]=line:x')).toMatchObject({ host: '2001:db8::1', accountId: 'acct_1' });
  });

  it.each(['', 'pbx.example.com', 'pbx.example.com=line', '=line:x', 'a b=line:x', 'pbx=li"ne:x', '*.example.com=a:b'])(
    'are not read from %j',
    (text) => {
      expect(parseReturnCredentials(text)).toBeNull();
    },
  );

  it('are sent to no other host, and not used by another account', () => {
    const list = ['pbx.example.com=all:1', 'acct_1@pbx.example.com=one:2', 'acct_1@own.example.com=one:3'].map(parsed);
    expect(credentialsFor(list, 'pbx.example.com', 'acct_2')).toEqual({ username: 'all', password: '1' });
    expect(credentialsFor(list, 'PBX.example.com.', 'acct_1')).toEqual({ username: 'one', password: '2' });
    expect(credentialsFor(list, 'own.example.com', 'acct_2')).toBeNull();
    expect(credentialsFor(list, 'evil.pbx.example.com', 'acct_1')).toBeNull();
  });
});
