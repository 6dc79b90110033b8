/** All settings, and how the docs list them. */
import { z } from 'zod';
import { CALL_SETTINGS } from './call-settings.ts';
import { SERVICE_SETTINGS } from './service-settings.ts';

export const SETTINGS_SCHEMA = z.object({ ...SERVICE_SETTINGS, ...CALL_SETTINGS });

export type Config = z.infer<typeof SETTINGS_SCHEMA>;

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(SETTINGS_SCHEMA.shape);

/** A setting as the docs list it. Each text is one line of Markdown. */
interface SettingFacts {
  name: string;
  fallback: string;
  about: string;
}

/** Every setting, in the order of its declaration. */
export function describeSettings(): SettingFacts[] {
  return Object.entries(SETTINGS_SCHEMA.shape).map(([name, declared]) => {
    const { about, fallback } = declared.meta() ?? {};
    if (typeof about !== 'string') throw new Error(`${name} has no description.`);
    return { name, about, fallback: typeof fallback === 'string' ? fallback : `\`${defaultOf(declared)}\`` };
  });
}

/** The declared default, before any transformation. @throws Error for a setting without one */
function defaultOf(declared: z.core.$ZodType): string {
  const { def } = declared._zod as z.core.$ZodTypes['_zod'];
  if (def.type === 'default') return String(def.defaultValue);
  if (def.type === 'pipe') return defaultOf(def.in);
  throw new Error('A setting without a default describes its fallback.');
}
