/** Draws the charts of a page with uPlot in the theme's colors. Redraws when the theme or the width changes. */
(() => {
  interface PlotData {
    dates: string[];
    series: { label: string; values: number[]; tone: 'good' | 'bad' }[];
  }
  /** The used part of uPlot's global. */
  interface Plot {
    setSize(size: { width: number; height: number }): void;
    destroy(): void;
  }
  type UPlot = {
    new (options: object, data: (readonly number[])[], place: Element): Plot;
    paths: { bars(options: object): object };
  };
  const library = (window as unknown as { uPlot: UPlot }).uPlot;
  const HEIGHT = 220;
  const drawn = new Map<Element, Plot>();

  /** Resolves a color of the style sheet for a canvas, including `light-dark()`. */
  function colorOf(name: string): string {
    const probe = document.createElement('span');
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }

  function draw(place: HTMLElement): void {
    const { dates, series } = JSON.parse(place.dataset.plot ?? '') as PlotData;
    drawn.get(place)?.destroy();
    const [quiet, line] = [colorOf('quiet'), colorOf('line')];
    const axis = { stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: '12px system-ui' };
    const names = dates.map((date) =>
      new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
    );
    const places = dates.map((_, at) => at);
    // Stacked: each series is drawn with those before it, the tallest first.
    const sums = series.map((_, upTo) =>
      places.map((at) => series.slice(0, upTo + 1).reduce((all, { values }) => all + (values[at] || 0), 0)),
    );
    const order = series.map((_, at) => series.length - 1 - at);
    const options = {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.5, dates.length - 0.5] },
        y: { range: (_: Plot, __: number, most: number) => [0, Math.max(4, Math.ceil(most * 1.1))] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          incrs: [1, 2, 7, 14, 28],
          space: 64,
          values: (_: Plot, marks: number[]) => marks.map((mark) => names[mark] || ''),
        },
        { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 50000, 100000], size: 44 },
      ],
      series: [
        {},
        ...order.map((at) => ({
          fill: colorOf(series[at]?.tone || 'good'),
          width: 0,
          points: { show: false },
          paths: library.paths.bars({ size: [0.7, 48], radius: 0.15 }),
        })),
      ],
    };
    drawn.set(place, new library(options, [places, ...order.map((at) => sums[at] || [])], place));
  }

  const drawAll = () => {
    for (const place of document.querySelectorAll<HTMLElement>('[data-plot]')) draw(place);
  };
  const resized = new ResizeObserver((entries) => {
    for (const { target } of entries) drawn.get(target)?.setSize({ width: target.clientWidth, height: HEIGHT });
  });
  drawAll();
  for (const place of document.querySelectorAll('[data-plot]')) resized.observe(place);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
})();
