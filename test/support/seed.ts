/** The seed of all random values in tests. */
export const TEST_SEED = Number(process.env.RINGKEY_TEST_SEED ?? 20_261_121);
