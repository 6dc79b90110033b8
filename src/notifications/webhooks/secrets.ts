/** The encryption of endpoints' signing secrets. */

/** The encryption context of a webhook's secret. */
export function webhookSecretContext(id: string): string {
  return `webhook endpoint:${id}`;
}
