/** At the side of a caller's page: who it is, the note, saved cards and consents. */
import type { CallerProfileResource } from '../../../contract/callers.ts';
import { roleCovers } from '../../../domain/user.ts';
import { Form } from '../form/form.tsx';
import { cardText, ObjectLink } from '../page/links.tsx';
import { Block, Facts, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { callerWords } from './words/index.ts';

/** Each part apart, because a name can reverse the text after it. */
export const CallerName = ({ caller: { first_name, last_name } }: { caller: CallerProfileResource }) => (
  <>
    <bdi>{first_name}</bdi> <bdi>{last_name}</bdi>
  </>
);

export function CallerSide({ visit, caller }: { visit: Visit; caller: CallerProfileResource }) {
  const { first_name: first, last_name: last, email, cards, consents } = caller;
  const w = callerWords().side;
  return (
    <>
      {[first, last, email].some((each) => each !== null) && (
        <Facts
          facts={[
            [w.name, first === null && last === null ? null : <CallerName caller={caller} />],
            [w.email, email && <bdi>{email}</bdi>],
          ]}
        />
      )}
      {visit.user.merchants === null && <Note visit={visit} caller={caller} />}
      <Block title={w.savedCards}>
        {cards.length === 0 ? (
          <p class="quiet">{w.none}</p>
        ) : (
          <Facts
            facts={cards.map((card) => [
              `${cardText(card)}, ${card.expiry}`,
              <ObjectLink visit={visit} to="merchant" id={card.merchant_id} name={card.business_name} />,
            ])}
          />
        )}
      </Block>
      {consents.length > 0 && (
        <Block title={w.consents}>
          <Facts
            facts={consents.map((consent) => [
              w.consent(w.channels[consent.channel], w.consentStates[consent.status]),
              <>
                <Time at={consent.agreed_at} />{' '}
                {consent.wording !== null && (
                  <q>
                    <bdi>{consent.wording}</bdi>
                  </q>
                )}
              </>,
            ])}
          />
        </Block>
      )}
    </>
  );
}

const MAX_NOTE_LENGTH = 2_000;

function Note({ visit, caller }: { visit: Visit; caller: CallerProfileResource }) {
  const { note, note_written_at: writtenAt, caller_phone: phone } = caller;
  const w = callerWords().side;
  return (
    <Block title={w.note}>
      {roleCovers(visit.user.role, 'support') ? (
        <Form visit={visit} action="/callers/note" submit={w.saveNote} tone="plain">
          <input type="hidden" name="number" value={phone} />
          <div class="field">
            <label class="unseen" for="note">
              {w.note}
            </label>
            <textarea id="note" name="note" rows={3} maxlength={MAX_NOTE_LENGTH}>
              {note ?? ''}
            </textarea>
          </div>
        </Form>
      ) : (
        <p class={note === null ? 'quiet' : 'note-text'}>{note === null ? w.none : <bdi>{note}</bdi>}</p>
      )}
      {writtenAt !== null && (
        <p class="quiet small">
          {w.written} <Time at={writtenAt} />
        </p>
      )}
    </Block>
  );
}
