/** What the dashboard is given by `app/`. Its data it asks of the REST surface. */
import type { RequireUserDeps } from './sign-in/require-user.ts';

export type DashboardDeps = RequireUserDeps;
