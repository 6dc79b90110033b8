/** Plots by uPlot: drawn in the browser from the table beside them, which says the same to those who cannot see a plot. */
import { type Asset, extraAsset } from '../assets.ts';

/** Read once in a process. */
let loaded: readonly Asset[] | undefined;

/** The style, then the scripts in the order in which they run. @throws where they were not built */
export function plotAssets(): readonly Asset[] {
  loaded ??= [
    extraAsset('uplot.css', { package: 'uplot/dist/uPlot.min.css' }),
    extraAsset('uplot.js', { package: 'uplot/dist/uPlot.iife.min.js' }),
    extraAsset('plots.js', { own: 'browser/plots.js' }),
  ];
  return loaded;
}

export interface PlotSeries {
  label: string;
  values: readonly number[];
  tone: 'good' | 'bad';
}

/** @param dates as `2026-11-20`, one a value */
export function DayPlot({ dates, series }: { dates: readonly string[]; series: readonly PlotSeries[] }) {
  return (
    <div class="plot">
      <p class="legend" aria-hidden="true">
        {series.map(({ label, tone }) => (
          <span key={label} class={tone}>
            {label}
          </span>
        ))}
      </p>
      <div class="canvas" aria-hidden="true" data-plot={JSON.stringify({ dates, series })} />
    </div>
  );
}

export function PlotScripts() {
  const [style, ...scripts] = plotAssets();
  return (
    <>
      <link rel="stylesheet" href={style?.path} />
      {scripts.map(({ path }) => (
        // Our own is built as a module, which runs behind those that are deferred.
        <script key={path} src={path} {...(path.endsWith('/plots.js') ? { type: 'module' } : { defer: true })} />
      ))}
    </>
  );
}
