/** Answers that end in `metadata`, which is written as it came: parsing and printing would reorder and re-escape it. */
import type { FastifyReply } from 'fastify';

/** @param body what stands before `metadata`. @param metadataJson the JSON text of an object, as the client wrote it */
export function sendWithMetadata(reply: FastifyReply, body: object, metadataJson: string): FastifyReply {
  const json = JSON.stringify(body);
  return reply
    .type('application/json; charset=utf-8')
    .send(`${json.slice(0, -1)}${json === '{}' ? '' : ','}"metadata":${metadataJson}}`);
}
