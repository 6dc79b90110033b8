import type { Language } from '../language.ts';
import { agent } from './agent.ts';
import { emails } from './emails.ts';
import { line } from './line.ts';
import { numbers } from './numbers.ts';
import { page } from './page.ts';
import { saving } from './saving.ts';
import { texts } from './texts.ts';

export const spanish: Language = { locale: 'es-419', line, numbers, agent, page, saving, texts, emails };
