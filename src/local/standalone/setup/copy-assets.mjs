/** The part of the build that is not TypeScript: files that the compiled program reads beside itself. */
import { cpSync, rmSync } from 'node:fs';

const root = new URL('../../../../', import.meta.url);
const migrations = new URL('dist/db/migrations/', root);

// A renamed migration must not live on.
rmSync(migrations, { recursive: true, force: true });
cpSync(new URL('src/db/migrations/', root), migrations, { recursive: true });

const styles = new URL('dist/http/dashboard/styles/', root);
rmSync(styles, { recursive: true, force: true });
cpSync(new URL('src/http/dashboard/styles/', root), styles, { recursive: true });

const pages = new URL('dist/http/docs/pages/', root);
rmSync(pages, { recursive: true, force: true });
cpSync(new URL('src/http/docs/pages/', root), pages, { recursive: true });
