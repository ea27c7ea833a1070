import { cpus, totalmem } from 'node:os';
import { formatCount } from '@agent-registry/contracts';

/** Prints a Markdown table, unless it would be empty. */
export function printTable(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const toLine = (cells: readonly string[]) =>
    `| ${widths.map((width, index) => (index === 0 ? (cells[index] ?? '').padEnd(width) : (cells[index] ?? '').padStart(width))).join(' | ')} |`;
  const rule = `| ${widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  console.log(`\n${title}\n\n${[toLine(columns), rule, ...rows.map(toLine)].join('\n')}`);
}

/** What the numbers were taken on: machine, system and Node. */
export function describeMachine(): string {
  const processors = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${processors.length} × ${processors[0]?.model.trim()}, ${gigabytes} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

/** A time in milliseconds, to three digits. */
export function ms(milliseconds: number): string {
  if (milliseconds >= 100) return milliseconds.toFixed(0);
  return milliseconds >= 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(2);
}

/** How many times as large one number is as another. */
export function times(number: number, other: number): string {
  const ratio = number / other;
  return `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`;
}

/** A size in bytes as megabytes. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** A number with its thousands apart. */
export function count(number: number): string {
  return formatCount(Math.round(number));
}
