/** What chance draws in tests comes from this number. */
export const TEST_SEED = Number(process.env.RINGKEY_TEST_SEED ?? 20_261_121);
