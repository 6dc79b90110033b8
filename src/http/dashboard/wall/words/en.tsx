/** English words of the wall board. */
import type { ComponentChildren, VNode } from 'preact';

export const en = {
  title: 'Wall board',
  modes: { test: 'Test mode', live: 'Live mode' },
  connecting: 'Connecting',
  timesIn: (zone: VNode): ComponentChildren => <>Times in {zone}</>,
  fullScreen: 'Full screen',
  close: 'Close',
  liveCalls: 'Live calls',
  inProgress: 'Money in progress',
  rate: 'Success rate, last hour',
  attention: 'Needs attention',
  newest: 'Newest live calls',
  more: (count: string) => `and ${count} more.`,
  changed: (at: VNode): ComponentChildren => <>Changed {at}</>,
  notKnown: 'Not known',
  noCharges: 'No charges',
  ofCharges: (succeeded: string, all: string) => `${succeeded} of ${all} charges`,
};

export type WallWords = typeof en;
