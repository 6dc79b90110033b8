/** Charts by uPlot, drawn in the browser. The table next to each chart has the same data for screen readers. */
import type { StaticAsset } from '../../shared/static-assets.ts';
import { ownScript, packagedAsset } from '../assets.ts';

/** Read once per process. */
let loaded: readonly StaticAsset[] | undefined;

/** The style, then the scripts in execution order. @throws if they were not built */
export function plotAssets(): readonly StaticAsset[] {
  loaded ??= [
    packagedAsset('uplot.css', 'uplot/dist/uPlot.min.css'),
    packagedAsset('uplot.js', 'uplot/dist/uPlot.iife.min.js'),
    ownScript('plots'),
  ];
  return loaded;
}

interface PlotSeries {
  label: string;
  values: readonly number[];
  tone: 'good' | 'bad';
}

/** @param dates as `2026-11-20`, one per value */
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
        // Our own script is a module, which runs after the deferred ones.
        <script key={path} src={path} {...(path.endsWith('/plots.js') ? { type: 'module' } : { defer: true })} />
      ))}
    </>
  );
}
