/** Limits of an account and of the service that are never exceeded. At 80% of one, there is an attention item. */
import { LOOKUP_BUDGET } from './screening.ts';

/** Valid API keys, per mode. Rolling can double it, because old keys stay valid for a while. */
export const MAX_KEYS = 100;
/** Webhook endpoints, per mode. */
export const MAX_ENDPOINTS = 16;
/** Alert targets of the account, per mode. */
export const MAX_ALERT_TARGETS = 20;
/** Users, removed ones not included. */
export const MAX_USERS = 500;

/** Those that settings decide. */
export interface AccountLimits {
  /** RINGKEY_MAX_CALLS_PER_ACCOUNT: live calls in both modes together. */
  calls: number;
  /** RINGKEY_NUMBER_LOOKUPS_PER_HOUR, RINGKEY_NUMBER_LOOKUPS_PER_DAY: per mode. */
  lookupsHour: number;
  lookupsDay: number;
  /** RINGKEY_MAX_CALLS: live calls of a phone process, of all accounts. */
  processCalls: number;
}

/** As the settings are by default. */
export const ACCOUNT_LIMITS: AccountLimits = {
  calls: 100,
  lookupsHour: LOOKUP_BUDGET.hour,
  lookupsDay: LOOKUP_BUDGET.day,
  processCalls: 500,
};

/** What an attention item of the kind `limit_near` is about. */
export const LIMIT_NAMES = [
  'calls',
  'lookups_hour',
  'lookups_day',
  'keys',
  'webhook_endpoints',
  'alert_targets',
  'users',
  'process_calls',
  'database_connections',
  'process_load',
  'speech',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
