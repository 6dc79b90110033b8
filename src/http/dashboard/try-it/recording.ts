/** Sends the recording of a test call. */
import { readFile } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import { DashboardFault } from '../page/faults.ts';
import { sendSound } from '../page/sound.ts';

/** @throws DashboardFault if the file no longer exists */
export async function sendRecording(reply: FastifyReply, file: string): Promise<FastifyReply> {
  const sound = await readFile(file).catch(() => {
    throw new DashboardFault('not_found');
  });
  return sendSound(reply, sound);
}
