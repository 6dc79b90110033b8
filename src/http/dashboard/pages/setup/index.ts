/** Set-up: merchants, API keys, webhook endpoints, and the account itself. */

import { accountPages } from '../../account/account.tsx';
import { webhookEndpointPage } from '../../endpoints/endpoint.tsx';
import { webhookEndpointPages } from '../../endpoints/endpoints.tsx';
import { toFirstTab } from '../../form/settings-page.tsx';
import { keyPages } from '../../keys/keys.tsx';
import { merchantPages } from '../../merchants/merchants.tsx';
import { processorPages } from '../../merchants/processor.tsx';
import type { AddPages } from '../../page/page-routes.ts';

export const setupPages: AddPages = (routes) => {
  routes.page('/setup', toFirstTab);
  merchantPages(routes);
  processorPages(routes);
  keyPages(routes);
  webhookEndpointPages(routes);
  webhookEndpointPage(routes);
  accountPages(routes);
};
