/** What is known to everybody of the demo, and is no secret. */

/** The account of requests without a key. */
export const DEMO_ACCOUNT_ID = 'acct_demo';
/** Gives what requests of the demo without a key get, and no more. */
export const DEMO_KEY = 'rk_test_demo_key_for_everybody_no_secret';
/** Signs the outcome headers of the demo's calls, so that anybody can check one. */
export const DEMO_SIGNING_SECRET = 'RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0=';
