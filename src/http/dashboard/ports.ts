/** Dependencies that `app/` passes to the dashboard. The dashboard reads its data from the REST surface. */

import type { Vault } from '../../lib/vault/vault.ts';
import type { CallProgress, Progress } from '../../notifications/progress/ports.ts';
import type { SpeechService } from '../../speech/speech.ts';
import type { ProofDeps } from './merchants/proof-charge.ts';
import type { PageDeps } from './page/page-routes.ts';
import type { RequireUserDeps } from './sign-in/require-user.ts';
import type { TestCalls } from './try-it/ports.ts';
import type { TriedProcessor } from './try-it/vendors.ts';

export interface DashboardDeps extends RequireUserDeps, Pick<ProofDeps, 'pay'>, Pick<PageDeps, 'totalsWaitMs'> {
  /** Null if test calls are not available. */
  testCalls: TestCalls | null;
  /** Ends in `/dashboard`. Null if not configured; links then use the URL of the current request. */
  dashboardUrl: string | null;
  progress: Progress & Pick<CallProgress, 'subscribeCalls'>;
  /** With their test cards, for test calls. */
  processors: readonly TriedProcessor[];
  /** Renders voice samples. */
  speech: Pick<SpeechService, 'sample' | 'mayHaveVoice' | 'voices'>;
  /** Live refunds above this amount, in minor units, require a sign-in within the last 15 minutes. Default 0: all do. */
  refundSignInAboveCents?: number;
  /** Encrypts the secrets of authenticator apps. If null, passwords cannot be used. */
  vault: Vault | null;
  now: () => Date;
}
