/** Fields of the forms with which a user sets up how to sign in: passwords, the authenticator app's key, its code. */
import type { ComponentChildren } from 'preact';
import { renderSVG } from 'uqr';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../users/password.ts';
import { totpUri } from '../../users/totp.ts';

interface FieldProps {
  label: string;
  name: string;
  hint?: string;
  /** What is wrong with what was sent. */
  fault?: string | undefined;
}

export function Field({ label, name, hint, fault, children }: FieldProps & { children: ComponentChildren }) {
  return (
    <div>
      <label for={name}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** Hint and fault are read out with the input; the page's script puts the focus on the first that is wrong. */
function inputOf({ name, hint, fault }: FieldProps) {
  const described = [fault !== undefined && `${name}-fault`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return {
    ...{ id: name, name, required: true },
    'aria-describedby': described.join(' ') || undefined,
    ...(fault !== undefined && { 'aria-invalid': 'true' as const }),
  };
}

/** Not to be changed: it tells a password manager whose password comes next. */
export const EmailShown = ({ email }: { email: string }) => (
  <Field label="E-mail address" name="email">
    <input id="email" name="email" type="email" autocomplete="username" value={email} readonly />
  </Field>
);

export function NewPasswordField({ fault }: { fault: string | undefined }) {
  const hint = `At least ${MIN_PASSWORD_LENGTH} characters. A few words make a good one.`;
  const field = { label: 'New password', name: 'password', hint, fault };
  return (
    <Field {...field}>
      <input
        {...inputOf(field)}
        {...{ type: 'password', autocomplete: 'new-password' }}
        {...{ minlength: MIN_PASSWORD_LENGTH, maxlength: MAX_PASSWORD_LENGTH }}
      />
    </Field>
  );
}

export function CurrentPasswordField({ fault }: { fault: string | undefined }) {
  const field = { label: 'Current password', name: 'current', fault };
  return (
    <Field {...field}>
      <input
        {...inputOf(field)}
        {...{ type: 'password', autocomplete: 'current-password', maxlength: MAX_PASSWORD_LENGTH }}
      />
    </Field>
  );
}

/** Of the authenticator app, to show that it has the key. */
export function CodeField({ fault }: { fault: string | undefined }) {
  const field = { label: 'Code', name: 'code', hint: 'The six digits that the app shows now.', fault };
  return (
    <Field {...field}>
      <input {...inputOf(field)} inputmode="numeric" autocomplete="one-time-code" maxlength={10} />
    </Field>
  );
}

/** What the app is given. @param label whose it is, as the app lists it: one address may have a user in several accounts */
export function AuthenticatorKey({ secret, label }: { secret: string; label: string }) {
  return (
    <>
      <p>Scan this with an authenticator app, or type the key into it.</p>
      <QrCode secret={secret} label={label} />
      <p>
        <span class="quiet small">Key</span> <code>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
      </p>
    </>
  );
}

function QrCode({ secret, label }: { secret: string; label: string }) {
  const svg = renderSVG(totpUri(secret, label), { border: 1 });
  // The library's own markup of squares, with no text in it.
  return <div class="qr" role="img" aria-label="QR code of the key" dangerouslySetInnerHTML={{ __html: svg }} />;
}

/** Shown once. */
export const CodeList = ({ codes }: { codes: readonly string[] }) => (
  <ul class="codes">
    {codes.map((code) => (
      <li key={code}>
        <code>{code}</code>
      </li>
    ))}
  </ul>
);
