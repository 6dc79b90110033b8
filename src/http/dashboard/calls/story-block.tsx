/** The blocks of a call's page: what happened, where the time went, what the caller heard, and the technical details. */
import type { CallWithTimelineResource } from '../../../contract/calls.ts';
import { Block, Fold, Time } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import { offsetText, secondsText } from './seconds.ts';
import { sipMessage } from './sip-messages.ts';
import { stepWords } from './step-words.ts';
import { type Chapter, endOf, type Step, storyOf } from './story.ts';
import { chapterWords } from './story-words.ts';
import { ACTIVITIES, type Spent, timeSpent } from './time-spent.ts';

type Call = CallWithTimelineResource;

/** Each chapter as a sentence. Opened, it shows its steps. */
export function StoryBlock({ call }: { call: Call }) {
  const chapters = storyOf(call);
  return (
    <Block title="What happened">
      {chapters.length === 0 && <p class="quiet">No step is recorded yet.</p>}
      <ol class="story" aria-label="What happened">
        {chapters.map((chapter, at) => {
          const { what, tone = 'plain' } = chapterWords(chapter, chapters.slice(at + 1), call.status === 'live');
          return (
            <li key={at} class={tone}>
              <Fold id={`chapter-${at}`} summary={<ChapterHead what={what} atMs={chapter.fromMs} />}>
                <ChapterSteps chapter={chapter} />
              </Fold>
            </li>
          );
        })}
      </ol>
    </Block>
  );
}

function ChapterHead({ what, atMs }: { what: string; atMs: number }) {
  return (
    <>
      <span class="what">{what}</span> <span class="number quiet">{offsetText(atMs)}</span>
    </>
  );
}

function ChapterSteps({ chapter: { steps } }: { chapter: Chapter }) {
  return (
    <ul class="steps">
      {steps.map((step, at) => {
        const words = stepWords(step.step);
        if (words === null) return null;
        return (
          <li key={at}>
            <span class="number quiet">{secondsText(step.at_ms)}</span>
            <span>
              <span class="quiet">{words.kind}</span> {words.what}
              <Said step={step} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Said({ step: { said } }: { step: Step }) {
  if (said === null) return null;
  return (
    <q class="said" lang={said.language}>
      {said.text}
    </q>
  );
}

/** A bar for each activity, and its value as text. Calls of earlier versions have fewer activities. */
export function TimeBlock({ call }: { call: Call }) {
  const spent = timeSpent(call);
  if (spent.length === 0) return null;
  const totalMs = spent.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <Block title="Where the time went">
      <TimeBar spent={spent} totalMs={totalMs} />
      <ul class="spent">
        {spent.map(({ activity, ms }) => (
          <li key={activity} class={activity}>
            <span>{ACTIVITIES[activity]}</span> <span class="number">{secondsText(ms)}</span>{' '}
            <span class="number quiet">{Math.round((ms / totalMs) * 100)}%</span>
          </li>
        ))}
      </ul>
      <p class="quiet small">{secondsText(endOf(call))} in total</p>
    </Block>
  );
}

/** In tenths of a percent. The list has the values. */
function TimeBar({ spent, totalMs }: { spent: readonly Spent[]; totalMs: number }) {
  let from = 0;
  return (
    <svg class="time-bar" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
      {spent.map(({ activity, ms }) => {
        const width = (ms / totalMs) * 1_000;
        const x = from;
        from += width;
        return <rect key={activity} class={activity} x={x} y="0" width={Math.max(0, width - 2)} height="12" />;
      })}
    </svg>
  );
}

export function HeardBlock({ call }: { call: Call }) {
  const sentences = call.timeline.filter(({ said }) => said !== null);
  if (sentences.length === 0) return null;
  return (
    <Block title="What the caller heard">
      <Fold id="heard" summary={`${sentences.length} ${sentences.length === 1 ? 'sentence' : 'sentences'} of the line`}>
        <ol class="steps">
          {sentences.map((step, at) => (
            <li key={at}>
              <span class="number quiet">{offsetText(step.at_ms)}</span>
              <span lang={step.said?.language}>{step.said?.text}</span>
            </li>
          ))}
        </ol>
        <p class="quiet small">
          Digits of cards and phone numbers are left out. A caller who presses a key does not hear the rest of a
          sentence.
        </p>
      </Fold>
    </Block>
  );
}

export function StepTable({ call }: { call: Call }) {
  return (
    <Table
      label="Steps as recorded"
      rows={call.timeline}
      columns={[
        { head: 'Step', cell: ({ step }) => <code>{step}</code> },
        { head: 'SIP', cell: ({ step }) => sipMessage(step) },
        {
          head: 'Second',
          kind: 'number',
          cell: ({ at_ms }) => <span class="number">{(at_ms / 1_000).toFixed(3)}</span>,
        },
        { head: 'Time', kind: 'time', cell: ({ at }) => <Time at={at} full /> },
      ]}
    />
  );
}
