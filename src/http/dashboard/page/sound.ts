/** Sends a WAV file, or the range that a player requests (RFC 9110 14.2). */

import { readFile } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import { DashboardFault } from './faults.ts';

/** Reads the `Range` header of the request. */
export async function sendSound(reply: FastifyReply, sound: Buffer): Promise<FastifyReply> {
  const { range = '' } = reply.request.headers;
  reply.headers({ 'accept-ranges': 'bytes' }).type('audio/wav');
  const [, first, last] = /^bytes=(\d{1,9})-(\d{0,9})$/.exec(range) ?? [];
  if (first === undefined) return reply.send(sound);
  const [from, to] = [Number(first), last ? Math.min(Number(last), sound.length - 1) : sound.length - 1];
  if (from > to) return reply.code(416).header('content-range', `bytes */${sound.length}`).send();
  reply.code(206).header('content-range', `bytes ${from}-${to}/${sound.length}`);
  return reply.send(sound.subarray(from, to + 1));
}

/** @throws DashboardFault if the file no longer exists */
export async function sendRecording(reply: FastifyReply, file: string): Promise<FastifyReply> {
  const sound = await readFile(file).catch(() => {
    throw new DashboardFault('not_found');
  });
  return sendSound(reply, sound);
}
