/** The name of a merchant, for pages of objects that only have its ID. */
import type { Visit } from '../page/visit.ts';

/** @returns the ID if the merchant cannot be read */
export async function merchantName(visit: Visit, id: string): Promise<string> {
  const path = `/v1/merchants/${encodeURIComponent(id)}`;
  const answer = await visit.tryAsk<{ business_name: string }>({ path });
  return answer.ok ? answer.body.business_name : id;
}
