// Builds the server, the web app and the console, which is all that a start needs; `--all` builds every package.
import { runTurbo } from './run-turbo.ts';

const filter = process.argv.includes('--all') ? '' : '--filter=./apps/*';
runTurbo(`run build ${filter} --output-logs=errors-only`);
