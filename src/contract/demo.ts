/** Public values of the demo. None is a secret. */

/** The account of requests without a key. */
export const DEMO_ACCOUNT_ID = 'acct_demo';
/** Allows the same as requests to the demo without a key. */
export const DEMO_KEY = 'rk_test_demo_key_for_everybody_no_secret';
/** Signs the outcome headers of the demo's calls, so that anyone can verify them. */
export const DEMO_SIGNING_SECRET = 'RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0=';
