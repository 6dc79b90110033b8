/** `/docs/dashboard`: a tour of the dashboard. */
import { CodeBlock } from '../markup/code-block.tsx';
export const DashboardPage = () => (
  <>
    <h1>Dashboard</h1>
    <p class="lead">
      What happened on the line and with the money, and a test call from the browser. <a href="/dashboard">Open it</a>.
    </p>
    <p>
      Every page asks the <a href="/docs/api-reference">REST surface</a> in the user's role, so it shows what a key of
      the account would read, and nothing else. Each address can be kept and passed on: filters stand in it, and whoever
      opens it is asked to sign in.
    </p>
    <h2 id="sign-in">Getting in</h2>
    <p>
      Under <code>npm start</code> the demo's opens without signing in, on its own machine. Anywhere else a user of the
      account signs in. Whoever runs the service makes the first one:
    </p>
    <CodeBlock text="ringkey user create --help" />
    <p>
      With the link that it prints, a user sets up a passkey, or a password and an authenticator app. The rest is under{' '}
      <b>Your sign-in</b>, in the menu with the user's initial: more passkeys, a new password or app, recovery codes,
      where one is signed in. Who has lost the app signs in with a recovery code and sets up a new one there. Who has
      lost every way in asks an owner, who makes a new link in <b>Set-up</b>, <b>Users</b>, or the operator, with{' '}
      <code>ringkey user invite</code>; once used, it replaces all from before.
    </p>
    <p>
      A role says what a user may do: a <b>viewer</b> sees, <b>support</b> also refunds, ends calls and sends events
      again, a <b>developer</b> changes all but users, an <b>owner</b> everything.
    </p>
    <p>
      API keys are the developers' job: a developer makes, rolls and revokes them, in live mode within 15 minutes of
      signing in. A key of the scope <code>full</code> can do what a developer can, and no more, for users are managed
      by owners in the dashboard alone. A key is not tied to the user who made it: when somebody leaves, roll what they
      have seen.
    </p>
    <h2 id="modes">Test and live</h2>
    <p>
      The account is named beside every page; a person with users in several signs in to one at a time. Each mode has
      pages of its own, <code>/dashboard/test/…</code> and <code>/dashboard/live/…</code>. A strip above every page says
      which one it is, in words and by its colour. Nothing of one mode is seen in the other.
    </p>
    <h2 id="start">Getting started</h2>
    <p>
      A checklist of what every integration begins with: a key, a checkout, a paid call, a webhook, a processor. A step
      ticks itself when it has happened, whether by the dashboard or by your own code; the open ones have the command
      for it.
    </p>
    <h2 id="try">Try it</h2>
    <p>
      A test call from the browser. Choose the merchant, what the caller does, and a{' '}
      <a href="/docs/test-cards">test card</a>. A caller of ours then dials a new checkout of the merchant, listens to
      the line, and presses keys:
    </p>
    <ul>
      <li>what the line says and what the caller presses appear as they happen, card data as dots;</li>
      <li>
        once it is over, the outcome, what the caller heard as a recording, the headers that the agent's side was given,
        and the events that your webhook is sent;
      </li>
      <li>beside it, the request and the transfer of this very call, for your own code.</li>
    </ul>
    <p>
      Two test calls run at a time, of three minutes at most, in test mode. Recording and steps are kept for a quarter
      of an hour, in memory and a temporary file of the service; the call itself is an ordinary one, and stays in the
      lists. Users need the role <b>developer</b>. With a SIP server of your own <code>RINGKEY_TEST_CALLS=on</code>{' '}
      allows them, where the service can dial it.
    </p>
    <h2 id="now">Calls on the line</h2>
    <p>
      <b>Now</b> shows each live call with its step, never what is entered. <b>End call</b> ends one politely, after a
      confirmation: the caller hears that we have to stop and goes back to the agent, or the call ends where there is
      none. Where a card is being charged or paid on the page, the call ends once the outcome is known, which may take
      some minutes. Users need the role <b>support</b>.
    </p>
    <h2 id="money">Money, and what went out</h2>
    <p>
      Lists have filters, and a page for each entry: what belongs to it, and what can be done with it. The search finds
      an entry by its id. <b>Events</b> shows what endpoints are sent, and sends it again; <b>Audit</b> says who changed
      what. <b>Export CSV</b> gives what the filters leave, 50,000 rows at most.
    </p>
    <p>
      <b>Give money back</b> on a charge's page asks how much, then whether. Two people never give back more than was
      charged, and the second one is told what is left; a form that is sent twice is one refund. A charge that its
      processor says nothing of for three days, and a refund after a month, stay pending: the filter <b>By hand</b>{' '}
      finds them, and <b>Settle by hand</b> on their pages writes what you found in the processor's books. Nothing is
      sent to the processor, and it is final. Users need the role <b>developer</b>, and a sign-in within the last 15
      minutes.
    </p>
    <h2 id="setup">Set-up</h2>
    <p>
      Merchants with their processor, API keys, webhook endpoints, users, and the account. A merchant's page lets you
      hear its greeting in a language and voice before they are saved. The account's page has what its pay pages show
      besides the merchant's name: an accent colour, and a phone number and an e-mail address for questions, in each
      mode its own. They are also fields of <a href="/docs#change_account">the account</a>.
    </p>
  </>
);
