import 'uplot/dist/uPlot.min.css';
import { formatCount } from '@agent-registry/contracts';
import { Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { schemeColours } from '../theme.ts';

const HEIGHT = 140;
const DAY = 86_400;

type DailyChartProps = {
  label: string;
  /** UTC days such as 2026-11-21, oldest first. */
  days: readonly string[];
  /** The number of each day. */
  counts: readonly number[];
};

/** The numbers of days as bars. The drawing is for those who see it; its numbers are also in a table. */
export function DailyChart({ label, days, counts }: DailyChartProps) {
  const { ref: sized, width } = useElementSize();
  const canvas = useRef<HTMLDivElement>(null);
  const colours = schemeColours[useComputedColorScheme('light')];
  const total = counts.reduce((sum, count) => sum + count, 0);

  useEffect(() => {
    if (!canvas.current || width === 0) return;
    const data: uPlot.AlignedData = [days.map((day) => Date.parse(day) / 1_000), [...counts]];
    const chart = new uPlot(createOptions(width, colours), data, canvas.current);
    return () => chart.destroy();
  }, [days, counts, width, colours]);

  return (
    <figure className="chart" ref={sized}>
      <Text component="figcaption">
        {label}: {formatCount(total)}
      </Text>
      <div ref={canvas} aria-hidden />
    </figure>
  );
}

function createOptions(
  width: number,
  { accent, muted, line }: (typeof schemeColours)['light' | 'dark'],
): uPlot.Options {
  const axis = {
    stroke: muted,
    grid: { stroke: line, width: 1 },
  };
  return {
    width,
    height: HEIGHT,
    tzDate: (time) => uPlot.tzDate(new Date(time * 1_000), 'Etc/UTC'),
    cursor: { show: false },
    legend: { show: false },
    scales: {
      // Half a day at both ends, for the bars.
      x: { range: (_chart, from, to) => [from - DAY / 2, to + DAY / 2] },
      y: { range: (_chart, _from, to) => [0, Math.max(to, 1)] },
    },
    axes: [
      axis,
      { ...axis, size: 56, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 1e5, 1e6] },
    ],
    series: [
      {},
      {
        fill: accent,
        width: 0,
        points: { show: false },
        ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.8, 40] }) }),
      },
    ],
  };
}
