/** The attempts of an endpoint by hour: delivered ones above the line, failed ones below it. */
import type { WebhookHealth } from '../../api/routes/webhook-health.ts';
import { Block } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import { endpointWords } from './words/index.ts';

type Hour = WebhookHealth['hours'][number];

const HALF = 24;

export function EndpointHealth({ hours }: WebhookHealth) {
  const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0);
  const failures = hours.reduce((sum, hour) => sum + hour.failures, 0);
  if (attempts === 0) return null;
  const w = endpointWords().health;
  const summary = w.summary(attempts, failures);
  return (
    <Block title={w.title}>
      <p>{summary}.</p>
      <HourBars hours={hours} label={w.bars(summary)} />
      <details>
        <summary>{w.byDay}</summary>
        <Table
          label={w.label}
          rows={daysOf(hours)}
          columns={[
            { head: w.heads.day, cell: ({ day }) => <span class="number">{day}</span> },
            { head: w.heads.attempts, cell: (day) => <span class="number">{w.sent(day.attempts)}</span> },
            { head: w.heads.failed, cell: (day) => <span class="number">{w.failed(day.failures)}</span> },
          ]}
        />
      </details>
    </Block>
  );
}

/** Bars of one hour each. At least one unit high, so that a single failure is seen. */
function HourBars({ hours, label }: { hours: readonly Hour[]; label: string }) {
  const most = Math.max(...hours.map(({ attempts }) => attempts));
  const height = (value: number) => (value === 0 ? 0 : Math.max(1, (value / most) * HALF));
  return (
    <svg
      class="hours"
      viewBox={`0 0 ${hours.length} ${2 * HALF}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect class="axis" x={0} y={HALF - 0.25} width={hours.length} height={0.5} />
      {hours.map(({ hour, attempts, failures }, x) => (
        <g key={hour}>
          <rect
            class="good"
            x={x + 0.1}
            y={HALF - height(attempts - failures)}
            width={0.8}
            height={height(attempts - failures)}
          />
          <rect class="bad" x={x + 0.1} y={HALF} width={0.8} height={height(failures)} />
        </g>
      ))}
    </svg>
  );
}

/** Newest first. */
function daysOf(hours: readonly Hour[]): { day: string; attempts: number; failures: number }[] {
  const days = [...new Set(hours.map(({ hour }) => hour.slice(0, 10)))];
  return days.toReversed().map((day) => {
    const ofDay = hours.filter(({ hour }) => hour.startsWith(day));
    const sum = (name: 'attempts' | 'failures') => ofDay.reduce((total, hour) => total + hour[name], 0);
    return { day, attempts: sum('attempts'), failures: sum('failures') };
  });
}
