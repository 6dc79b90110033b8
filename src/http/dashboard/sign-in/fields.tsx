/** Fields of the forms that set up sign-in: passwords, the authenticator app's key and its code. */
import type { ComponentChildren } from 'preact';
import { renderSVG } from 'uqr';
import type { NewPasswordFault } from '../../../accounts/users/own-password.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../accounts/users/password.ts';
import { totpUri } from '../../../accounts/users/second-factor.ts';
import { signInWords } from './words/index.ts';

interface FieldProps {
  label: string;
  name: string;
  hint?: string;
  /** The error of the submitted value. */
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

/** Screen readers read hint and fault with the input. The page's script focuses the first invalid input. */
function inputOf({ name, hint, fault }: FieldProps) {
  const described = [fault !== undefined && `${name}-fault`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return {
    id: name,
    name,
    required: true,
    'aria-describedby': described.join(' ') || undefined,
    ...(fault !== undefined && { 'aria-invalid': 'true' as const }),
  };
}

/** Read-only. It tells password managers which user the password belongs to. */
export const EmailShown = ({ email }: { email: string }) => (
  <Field label={signInWords().email} name="email">
    <input id="email" name="email" type="email" autocomplete="username" value={email} readonly />
  </Field>
);

export function NewPasswordField({ fault }: { fault: NewPasswordFault | undefined }) {
  const w = signInWords();
  const text = fault && w.passwordFaults[fault];
  const field = { label: w.newPassword, name: 'password', hint: w.newPasswordHint, fault: text };
  return (
    <Field {...field}>
      <input
        {...inputOf(field)}
        type="password"
        autocomplete="new-password"
        minlength={MIN_PASSWORD_LENGTH}
        maxlength={MAX_PASSWORD_LENGTH}
      />
    </Field>
  );
}

export function CurrentPasswordField({ fault }: { fault: 'wrong' | undefined }) {
  const w = signInWords();
  const field = { label: w.currentPassword, name: 'current', fault: fault && w.wrongPassword };
  return (
    <Field {...field}>
      <input {...inputOf(field)} type="password" autocomplete="current-password" maxlength={MAX_PASSWORD_LENGTH} />
    </Field>
  );
}

/** A code that proves that the authenticator app has the key. */
export function CodeField({ fault }: { fault: 'wrong' | undefined }) {
  const w = signInWords();
  const field = { label: w.code, name: 'code', hint: w.codeHint, fault: fault && w.wrongCode };
  return (
    <Field {...field}>
      <input {...inputOf(field)} inputmode="numeric" autocomplete="one-time-code" maxlength={10} />
    </Field>
  );
}

/** The key for the app. @param label shown in the app; it names the account, since one email may have several users */
export function AuthenticatorKey({ secret, label }: { secret: string; label: string }) {
  const w = signInWords();
  return (
    <>
      <p>{w.scan}</p>
      <QrCode secret={secret} label={label} />
      <p>
        <span class="quiet small">{w.key}</span> <code>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
      </p>
    </>
  );
}

function QrCode({ secret, label }: { secret: string; label: string }) {
  const svg = renderSVG(totpUri(secret, label), { border: 1 });
  // The library's own markup. It contains no text.
  return <div class="qr" role="img" aria-label={signInWords().qrCode} dangerouslySetInnerHTML={{ __html: svg }} />;
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
