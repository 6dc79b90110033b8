/** What the dashboard is given by `app/`. Its data it asks of the REST surface. */
import type { Progress } from '../progress/ports.ts';
import type { SpeechService } from '../speech/speech.ts';
import type { Vault } from '../vault/vault.ts';
import type { RequireUserDeps } from './sign-in/require-user.ts';
import type { TestCalls } from './try-it/ports.ts';

export interface DashboardDeps extends RequireUserDeps {
  /** Null where there are none. */
  testCalls: TestCalls | null;
  /** Ends in `/dashboard`; null: not known, users reach it as their browser does now. */
  dashboardUrl: string | null;
  progress: Progress;
  /** For hearing a voice before it is chosen. */
  speech: Pick<SpeechService, 'sample' | 'mayHaveVoice'>;
  /** Seals the secrets of authenticator apps; null: passwords cannot be used. */
  vault: Vault | null;
  now: () => Date;
}
