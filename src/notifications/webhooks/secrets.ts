/** How an endpoint's signing secrets are kept. */

/** What a webhook's secret is sealed for. */
export function webhookSecretContext(id: string): string {
  return `webhook endpoint:${id}`;
}
