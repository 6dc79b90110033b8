/** The settings of the phone in tests. */
import type { PhoneSettings } from '../../../src/phone/deps.ts';

export const PHONE_SETTINGS: PhoneSettings = {
  maxCalls: 100,
  hasSmsCarrier: false,
  maxCallsPerAccount: 100,
  returnMode: 'auto',
  sipDomain: 'pay.example.com',
  trunks: [],
  directTrunks: [],
  trunkCountry: null,
  transferNumbers: { owned: [], unassigned: null },
  numberUnknown: 'reject',
  trunkTarget: null,
  trunkCredentials: null,
  returnCredentials: [],
  returnAllowed: ['127.0.0.0/8'],
};
