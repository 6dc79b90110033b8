/** Everything that Ringkey needs to speak and write a language. Each language is one folder beside this file. */
import type { AgentWords } from './agent.ts';
import type { EmailWords } from './emails.ts';
import type { LineWords } from './line.ts';
import type { Numbers } from './numbers.ts';
import type { PageWords } from './page.ts';
import type { SavingWords } from './saving.ts';
import type { TextWords } from './texts.ts';

export interface Language {
  /** BCP 47 with a region, for synthesizers. */
  locale: string;
  line: LineWords;
  numbers: Numbers;
  agent: AgentWords;
  page: PageWords;
  saving: SavingWords;
  texts: TextWords;
  emails: EmailWords;
}
