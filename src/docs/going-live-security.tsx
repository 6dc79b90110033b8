/** Of `/docs/going-live`: what is protected how, and what is not, by the requirements of PCI DSS 4.0.1. */
import { Fragment } from 'preact';
import { MarkedList } from './markdown.tsx';
import { Table } from './layout.tsx';

interface Area {
  id: string;
  /** With the numbers of the requirements. */
  title: string;
  /** Each in the Markdown of {@link marked}, as are {@link isNot}. */
  is: readonly string[];
  isNot: readonly string[];
}

export const SecuritySections = () => (
  <>
    <h2 id="protected">What is protected, and what is not</h2>
    <p>
      In the order of PCI DSS 4.0.1. This is what the software does; it is no attestation. Whoever runs it is assessed
      for it, with the hosts, the network and the people: requirements 5 (malware), 9 (physical access) and 12
      (policies) are theirs alone.
    </p>
    {AREAS.map(({ id, title, is, isNot }) => (
      <Fragment key={id}>
        <h3 id={id}>{title}</h3>
        <MarkedList items={is} />
        <p>Not protected, or left to you:</p>
        <MarkedList items={isNot} />
      </Fragment>
    ))}
    <h3 id="travels">What travels how (requirement 4)</h3>
    <Table head={['Between', 'How']} rows={TRAVELS} />
  </>
);

const TRAVELS: readonly (readonly [between: string, how: string])[] = [
  [
    'Caller’s side and SIP server',
    'UDP or TCP in the clear. TLS (1.2 or newer) with `docker/compose.tls.yaml`; `RINGKEY_SIP_SCHEME=sips`, or `;transport=tls` in `RINGKEY_SIP_DOMAIN`, puts it into `transfer_to`. Port 5060 stays open beside it until your firewall closes it. Callers are asked for no certificate of their own.',
  ],
  [
    'Caller’s audio, **with the keys of the card** (telephone-event, or tones)',
    'RTP in the clear by default. SRTP with keys in the SDP (SDES) by `RINGKEY_SRTP` and `FREESWITCH_SRTP`: with `required` (`mandatory`) calls without it get 488. SDES protects nothing unless SIP is encrypted, too. DTLS-SRTP is not taken.',
  ],
  ['Keys in a SIP INFO', 'As SIP: in the clear without TLS, whatever the audio is.'],
  [
    'Bridge to `return_to`, and the REFER',
    'TLS where `return_to` is `sips:` or says `;transport=tls`, else in the clear; the certificate of that side is not checked. The audio of a bridge is plain, also where the caller’s is not; with `RINGKEY_SRTP=required` nothing is bridged, and callers go back by REFER alone. Outcomes are signed, not encrypted; keys of the caller are not passed on.',
  ],
  [
    'REST',
    'HTTP in the clear from our process. TLS is your proxy’s, and nothing refuses a request that came without it: expose the proxy alone.',
  ],
  ['Processors, carriers of texts', 'HTTPS.'],
  ['Webhooks, order sources', 'HTTPS only in live mode. Webhooks are signed.'],
  [
    'App and SIP server; app and FreeSWITCH’s event socket (**keys pass here**); FreeSWITCH and SIP server',
    'In the clear; the app’s connections with a secret. In `compose.yaml` all within one host. Across hosts: a private network that is yours alone, or a tunnel.',
  ],
  [
    'App and PostgreSQL, app and Redis',
    'In the clear, with a password, within one host in `compose.yaml`. Elsewhere encrypt them by the URL: `sslmode=verify-full`, `rediss://`. Our tests do not cover that. No card number passes here.',
  ],
];

const AREAS: readonly Area[] = [
  {
    id: 'network',
    title: 'Network (requirement 1)',
    is: [
      'A call needs a token of 128 random bits, for one session, until it is paid or expired. Without one: 404. A call to a number is taken of trunks in `RINGKEY_TRUNKS` only, and finds sessions only of the account and mode that the number belongs to (`RINGKEY_TRANSFER_NUMBERS`). Who opens a session for somebody else’s number can so reach that person’s call to the account’s own number alone, and the caller hears the business and the amount before anything is asked.',
      'FreeSWITCH takes SIP and event socket connections from the host itself only (`FREESWITCH_TRUSTED_CIDRS`). It hands a call to an app that has registered itself over the event socket, by a secret token that each process makes; no address in an INVITE is believed, and others get 403.',
      '`return_to` leads only where the account may send callers: in live mode hosts and beginnings of numbers on its list. Never to loopback, private or own addresses unless `RINGKEY_RETURN_ALLOWED` lists them, nor to short, emergency, premium or satellite numbers. The name is resolved once, and a call of ours goes to the address that was checked.',
      'Of the headers in `return_to` only `X-` ones of your own go along, none that a server of ours acts upon.',
      'Test mode never dials through the trunk. The caller id of a call of ours is the session’s number, or what a trusted trunk said.',
      'Webhooks, order sources and questions to `attestation_url` go to public addresses only, checked at connect; redirects are not followed. `RINGKEY_PRIVATE_TARGETS=on` lifts that for test mode.',
      'In `compose.yaml` PostgreSQL, Redis, REST and the ports of both daemons for the app listen on loopback or the compose network.',
    ],
    isNot: [
      'Floods. There is no limit of INVITEs by address: put a session border controller or the carrier’s filter in front, and open 5060 to your carriers only.',
      'The carrier’s side and FreeSWITCH’s side of the SIP server share one port. FreeSWITCH’s own SIP port (5080) listens on `HOST_ADDRESS`: keep it shut in the firewall.',
      'With REFER it is your platform that dials `return_to`. Where its host does not resolve here, it still gets the REFER.',
      'A test-mode account without a list may send callers to any public SIP host.',
    ],
  },
  {
    id: 'secrets',
    title: 'Secrets and defaults (requirement 2)',
    is: [
      'Where calls are taken with the real engines, the secrets that the daemons come with are refused. `compose.yaml` does not start without its passwords and `RINGKEY_ENCRYPTION_KEYS`.',
      'The demo is off unless `RINGKEY_DEMO=on`, and its key then is none. On loopback it takes requests without a key from its own machine only, and refuses foreign host names; visitors from outside cannot change what they share.',
      'Child processes are given no setting and no secret. The app’s containers have no capabilities and gain no privileges.',
    ],
    isNot: [
      'Secrets are environment variables: there is no connection to a key service or an HSM.',
      'A `REDIS_URL` or `DATABASE_URL` of your own without a password is taken.',
      'The containers of the daemons, of PostgreSQL and of Redis have Docker’s default capabilities. What one visitor of a demo types, the others can read.',
    ],
  },
  {
    id: 'stored',
    title: 'Stored data (requirement 3)',
    is: [
      'Number, expiry and security code are never stored: not in PostgreSQL, Redis, a log, an error, a metric, a recording. Tests search all that the product writes for the digits that were keyed.',
      'Of a saved card: the processor’s handle, encrypted, with brand, last four digits, expiry, and what the caller agreed to. Of a card that was tried: a keyed fingerprint, for two days.',
      'Processor credentials, signing secrets and handles are encrypted with AES-256-GCM; keys can be replaced while it runs (`ringkey vault reseal`). API keys and transfer tokens are kept as hashes.',
      'A pay link’s codes are random (60 bits in a text’s, 130 in the long one), found by their hash, and encrypted, as is the text with the link. The log names the route, never the code. A link pays one session, until that is paid or over: a day at most.',
      'In memory keys are held in Buffers that are zeroed. The request to Stripe is one, too, and the security code is wiped once it is sent.',
      'FreeSWITCH would log keys at INFO: the app sets it to WARNING, and takes no calls on a server that stays louder. Core dumps are off for the app and FreeSWITCH in `compose.yaml`.',
    ],
    isNot: [
      '**In memory remains**: short-lived strings while a card is checked; the key of a SIP INFO and of the event socket, as their libraries’ strings; copies in TLS and the kernel; what the SIP server and FreeSWITCH hold. Run without swap or with an encrypted one, and without core dumps of the SIP server.',
      'In the clear in the database: callers’ numbers and names, orders, amounts, texts, `metadata`. Encrypt the disk and the backups.',
      'The encryption keys are in the process: nobody splits them between people.',
      'Sessions are kept for 400 days (`RINGKEY_RETENTION_DAYS`); then only the money of them is left, if any. `DELETE /v1/consumers/{id}` erases a caller with name, number and saved cards, `DELETE /v1/cards/{id}` one card. A number on sessions that no card was saved for goes only with its sessions.',
      'Transcripts and recordings of your platform: stop them while the caller is on the line.',
    ],
  },
  {
    id: 'access',
    title: 'Access (requirements 7 and 8)',
    is: [
      'A key has 256 random bits, one account and one mode. Its scope is `agent`, which takes payments and nothing else, or `full`. It may have an end and a list of source addresses; it can be rolled, and a revoked one is refused everywhere within a second.',
      'Users of the dashboard have a name of their own and one of four roles (7.2): `owner` does everything, users included; `developer` all but users; `support` sees, gives refunds and ends calls; `viewer` sees. A role that changes, or a user who is removed, counts from the next request on (8.2.5). An account keeps at least one owner. A key of the scope `full` can do what a developer can, and no more: users are managed in the dashboard, by owners, with no key. Making or rolling a live key there takes a sign-in within the last 15 minutes, as do, in live mode, connecting a processor, adding a webhook endpoint, changing its address or kinds of events and making it a new secret, and in both modes a new secret of the SIP headers.',
      'They sign in with a passkey that verifies its user, or with a password of 12 characters or more and the code of an authenticator app: two factors in either case (8.4.2), asked for at once, so that no answer says which was wrong (8.5.1). No code, challenge or link is taken twice. Passwords are stored as Argon2id hashes (19 MiB, two passes), common ones are refused (8.3.6), secrets of apps are sealed by `RINGKEY_ENCRYPTION_KEYS`.',
      'Ten failures with a password in 30 minutes lock it for 30 (8.3.4); an address has 30 failures in ten minutes. Answers do not tell whether there is such a user.',
      'A session is 256 random bits in a cookie that scripts cannot read, stored as a hash. It ends after 12 hours; after 15 idle minutes nothing changes in live mode before the user has signed in once more (8.2.8). Every form has a token of its session.',
      'After 20 failed authentications in a minute an address gets 429 before the database is asked. Keys that work there go on.',
      'Callers’ numbers are screened (`/docs/screening`) where a look-up is set (`RINGKEY_NUMBER_LOOKUP`): one that was ported, or whose SIM was swapped, within seven days is offered no saved card. Nor is a call that carriers attest `C`, or whose signature failed: in the INVITE that is believed of trunks in `RINGKEY_DIRECT_TRUNKS` only.',
      'Redis is believed about nothing that decides about money or access. Whoever writes to it can delay deliveries, and lift or exhaust rate limits.',
      'One account can have 100 calls at once (`RINGKEY_MAX_CALLS_PER_ACCOUNT`), and a bridge lasts an hour at most (`RINGKEY_MAX_BRIDGE_MINUTES`): so a stolen key costs you that much.',
    ],
    isNot: [
      'Who may run `ringkey` commands or reach the database may do everything, without a password of ours. Guard the hosts by your own means.',
      'Users are not ended when they have not signed in for 90 days (8.2.6), and passwords do not age: with a second factor 8.3.9 does not ask it. With an OpenID provider its second factor, and who is locked there, are the provider’s. The lock after ten failures is for passwords: a passkey cannot be guessed.',
      'A lost passkey or authenticator app is replaced by a new link from an owner or the operator. That they give it to the right person is theirs to see to (8.3.3).',
      'A key does not end by itself unless you say when, nor when the user who made it is removed: roll what they have seen. The audit trail has who made which.',
      'Whether the certificate that signed a call was revoked is not looked up (`RINGKEY_STIR_ROOTS`).',
      '**A caller is known by the number alone, which can be faked**: whoever shows it is offered its saved cards, unless screening steps the caller up. The pay page is stricter: it shows them only after a code that is texted to the number. `RINGKEY_SAVED_CARDS=off` offers and charges none; they stay kept.',
      'While Redis is away, requests are not limited, and guesses are counted in each process by itself.',
    ],
  },
  {
    id: 'logging',
    title: 'Logging (requirement 10.2)',
    is: [
      'The audit trail (`GET /v1/audit_events`) says who (key, user of the dashboard, or user and host of a command), when, from where, what object, and what changed, never a secret: accounts, keys, merchants, processors, webhook endpoints, refunds, settlements by hand, calls that were ended, deleted cards, users, each sign-in, failure, lock and sign-out. Written with the change in one transaction.',
      'Entries are kept for a year. The database refuses to change one, or to delete a younger one.',
      'Each request has a line with its id, account, key, object, status and error code: refused keys, too. Each call has a row with its steps.',
    ],
    isNot: [
      'Reading is in the request log only, not in the trail; nor are `ringkey vault reseal`, a changed setting, a login at a host or at the database. The owner of the database can switch its trigger off.',
      'The log goes to standard output. Keeping it for a year, guarding it, and alarms on it are yours, as are the logs of the daemons, PostgreSQL and the proxy.',
    ],
  },
  {
    id: 'testing',
    title: 'Testing (requirements 6 and 11)',
    is: [
      'The tests run whole phone calls with a real PostgreSQL and Redis and search everything for keyed digits; `npm run chaos` kills the app 500 times under load and audits the books.',
      'What a processor sends back is checked: another amount or currency is `pending`, and an error in the log; ids and codes that are no tokens are dropped.',
    ],
    isNot: [
      'No assessor, scanning vendor or penetration tester has looked at it. Stripe and Square were tried against fakes that speak their documented formats, not yet against their servers.',
      'Patching images and packages, scanning hosts, watching files for changes.',
      'The built-in engine (`RINGKEY_ENGINE=builtin`) is for trying: no encryption, not for the internet.',
    ],
  },
  {
    id: 'page-scripts',
    title: 'Page scripts (requirements 6.4.3 and 11.6.1)',
    is: [
      'The scripts of the pay page, and why it has them. `page.js`, our own: sends the form once, and shows what happens on the phone. `stripe.js` or `square.js`, our own, at merchants of the one or the other: shows its card fields, and hands on the token that they make. `https://js.stripe.com/endive/stripe.js`, of Stripe: the card field, wallets and 3-D Secure. `https://web.squarecdn.com/v1/square.js` (test mode: `https://sandbox.web.squarecdn.com/v1/square.js`), of Square: the same; it loads Google Pay’s script from `https://pay.google.com`. None else.',
      'Each of ours is served under the hash of its content, with an integrity value in the page. The Content-Security-Policy lets in ours and the hosts that the processor publishes, no inline script and no handler; at Square frames may come from any https host, for the bank’s page of 3-D Secure is in one, and styles may be inline, for its script writes them.',
      'What browsers kept out is counted (`ringkey_csp_reports_total`). `ringkey page check <a pay link>` lists the scripts of a page as it is served, and compares them, their content and the policy with what was built: run it from outside, once a week at least.',
      'The pages under `/docs` load scripts of the service itself only, by their Content-Security-Policy.',
    ],
    isNot: [
      'The vendors’ scripts change without notice, and take no integrity value: what they load is theirs to answer for.',
      'Running the check, and an alarm on it, are yours. So is your own page, where it makes tokens at the processor.',
    ],
  },
];
