// `pnpm bench <name>` runs a benchmark and prints its tables; `pnpm bench` tells what there is.
import { parseArgs } from 'node:util';
import { engineNames, type EngineName } from './corpus-database.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchLists } from './lists.ts';
import { benchSearch } from './search.ts';
import { benchService } from './service.ts';

/** The benchmarks by name. */
const benchmarks = {
  search: { run: benchSearch, about: 'first pages of searches, beside the raw query of the engine' },
  lists: { run: benchLists, about: 'pages of the list near and far, and the whole list' },
  service: { run: benchService, about: 'every kind of request under load, beside a bare route; SQLite only' },
  lighthouse: { run: benchLighthouse, about: 'pages in a browser as Lighthouse rates them, and frames; SQLite only' },
};

const { positionals, values } = readArguments();
const [name = ''] = positionals;
const sizes = values.sizes.split(',').map(Number);
const engines = values.engines.split(',') as EngineName[];
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
const isValid =
  sizes.every((size) => size >= 100) &&
  engines.every((engine) => engineNames.includes(engine)) &&
  [rounds, seconds].every((number) => Number.isInteger(number) && number > 0);
if (Object.hasOwn(benchmarks, name) && isValid) {
  await benchmarks[name as keyof typeof benchmarks].run({
    sizes,
    engines,
    rounds,
    seconds,
    only: new RegExp(values.only, 'i'),
    reports: values.reports,
  });
} else {
  console.log(`pnpm bench <name> [--sizes 1000,10000,100000] [--engines ${engineNames.join(',')}]`);
  console.log('  service: [--rounds 5] [--seconds 2] [--only <part of the names of rows>], no [--engines]');
  console.log('  lighthouse: [--rounds 5] [--only <part of the names of rows>] [--reports <folder>], and no others\n');
  for (const [name, { about }] of Object.entries(benchmarks)) console.log(`  ${name.padEnd(10)} ${about}`);
  process.exitCode = name === '' ? 0 : 1;
}

function readArguments() {
  try {
    return parseArgs({
      // pnpm passes a `--` that stands between its own arguments and the script's on.
      args: process.argv.slice(2).filter((argument) => argument !== '--'),
      allowPositionals: true,
      options: {
        sizes: { type: 'string', default: '1000,10000,100000' },
        engines: { type: 'string', default: engineNames.join(',') },
        rounds: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '2' },
        only: { type: 'string', default: '' },
        reports: { type: 'string' },
      },
    });
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
