// Runs the API and the site with reload.
import { runTurbo } from './run-turbo.ts';

runTurbo('run dev --env-mode=loose');
