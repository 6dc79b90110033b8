/** As `Promise.all`, but if one of them fails, waits until the others have ended, too. */
export async function waitForAll<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
