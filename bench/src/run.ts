// `pnpm bench` runs all benchmarks, `pnpm bench <name>…` some of them. Each writes its page in `bench/results`.
import { parseArgs } from 'node:util';
import { engineNames } from './corpus.ts';
import { benchInteractions } from './interactions.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchLists } from './lists.ts';
import { benchPresses } from './presses.ts';
import { benchPrograms } from './programs.ts';
import { benchPauses } from './pauses.ts';
import { benchScaling } from './scaling.ts';
import { benchSearch } from './search.ts';
import { benchService } from './service.ts';

const benchmarks = {
  service: benchService,
  search: benchSearch,
  lists: benchLists,
  programs: benchPrograms,
  scaling: benchScaling,
  pauses: benchPauses,
  interactions: benchInteractions,
  presses: benchPresses,
  lighthouse: benchLighthouse,
};
const names = Object.keys(benchmarks) as (keyof typeof benchmarks)[];

const { positionals, values } = parseArgs({
  // pnpm passes on a `--` between its own arguments and those of the script.
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    sizes: { type: 'string', default: '1000,10000,100000' },
    engines: { type: 'string', default: engineNames.join(',') },
    against: { type: 'string' },
    rest: { type: 'string', default: '60' },
  },
});
const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  sizes: values.sizes.split(',').map(Number),
  engines: engineNames.filter((name) => values.engines.split(',').includes(name)),
  against: values.against,
  rest: Number(values.rest),
};
const isValid =
  positionals.every((name) => Object.hasOwn(benchmarks, name)) &&
  [options.rounds, options.seconds, options.rest].every((number) => Number.isInteger(number) && number > 0) &&
  options.sizes.every((size) => Number.isInteger(size) && size >= 100) &&
  options.engines.length > 0;
if (!isValid) {
  console.error(
    `Usage: pnpm bench [${names.join('|')}]… [--rounds 5] [--seconds 2] [--sizes 1000,10000,100000] [--engines ${engineNames.join(',')}] [--against commit] [--rest 60]`,
  );
  process.exit(2);
}
for (const name of names) if (positionals.length === 0 || positionals.includes(name)) await benchmarks[name](options);
