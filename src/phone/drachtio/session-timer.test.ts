import { describe, expect, it } from 'vitest';
import {
  answerHeaders,
  offerHeaders,
  requiredSeconds,
  SESSION_TIMER,
  timerOfAnswer,
  timerOfInvite,
  timerOfRefresh,
  tooShort,
} from './session-timer.ts';

const message = (headers: Record<string, string>) => ({ body: '', get: (name: string) => headers[name] });
const TIMER = { Supported: '100rel, Timer' };

describe('the session timer of an incoming call', () => {
  it.each([
    [{}, null],
    [{ ...TIMER }, { seconds: 1_800, refresher: 'them' }],
    [
      { k: 'timer', x: '900' },
      { seconds: 900, refresher: 'them' },
    ],
    [
      { ...TIMER, 'Session-Expires': '900 ; refresher=UAS' },
      { seconds: 900, refresher: 'us' },
    ],
    [
      { ...TIMER, 'Session-Expires': '9000;refresher=uac' },
      { seconds: 1_800, refresher: 'them' },
    ],
    [
      { ...TIMER, 'Session-Expires': '9000', 'Min-SE': '4000' },
      { seconds: 4_000, refresher: 'them' },
    ],
    // A proxy has asked for one.
    [{ 'Session-Expires': '60' }, { seconds: 90, refresher: 'us' }],
    [
      { ...TIMER, 'Session-Expires': 'soon' },
      { seconds: 1_800, refresher: 'them' },
    ],
  ])('with %j is %j', (headers, timer) => {
    expect(timerOfInvite(message(headers), SESSION_TIMER)).toEqual(timer);
  });

  it('is refused below 90 s if the caller supports timers', () => {
    expect(tooShort(message({ ...TIMER, 'Session-Expires': '89' }), SESSION_TIMER)).toEqual({ 'Min-SE': '90' });
    expect(tooShort(message({ ...TIMER, 'Session-Expires': '90' }), SESSION_TIMER)).toBeNull();
    expect(tooShort(message({ 'Session-Expires': '89' }), SESSION_TIMER)).toBeNull();
    expect(tooShort(message(TIMER), SESSION_TIMER)).toBeNull();
  });
});

it('the refresher is named from the sender’s side', () => {
  expect(answerHeaders(message(TIMER), { seconds: 90, refresher: 'us' })).toEqual({
    'Session-Expires': '90;refresher=uas',
    Require: 'timer',
  });
  expect(answerHeaders(message({}), { seconds: 90, refresher: 'us' })).not.toHaveProperty('Require');
  expect(offerHeaders({ seconds: 90, refresher: 'them' }, 90)['Session-Expires']).toBe('90;refresher=uas');
});

it('reads refreshes, answers and 422s of the other side', () => {
  expect(timerOfRefresh(message({}))).toBeNull();
  const headers = { 'Session-Expires': '100' };
  expect(timerOfRefresh(message({ ...TIMER, ...headers }))).toEqual({ seconds: 100, refresher: 'them' });
  // A proxy has asked for it; the sender itself would never refresh.
  expect(timerOfRefresh(message(headers))).toEqual({ seconds: 100, refresher: 'us' });
  expect(timerOfAnswer(message({}))).toBeNull();
  expect(timerOfAnswer(message({ 'Session-Expires': '100' }))).toEqual({ seconds: 100, refresher: 'us' });
  expect(timerOfAnswer(message({ 'Session-Expires': '100;refresher=uas' }))?.refresher).toBe('them');
  expect(requiredSeconds(message({ 'Min-SE': '3600' }), 1_800)).toBe(3_600);
  expect(requiredSeconds(message({ 'Min-SE': '60' }), 1_800)).toBeNull();
  expect(requiredSeconds(message({}), 1_800)).toBeNull();
});
