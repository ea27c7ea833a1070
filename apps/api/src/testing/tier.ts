/** Whether every test runs, as with `pnpm test --all`; CONTRIBUTING.md says which tests run without it. */
export const runsAll = process.env.TEST_TIER === 'all';

/** How often a kill, an outage or a race is repeated: `SOAK_ROUNDS`, else four times with `--all`, else once. */
export const rounds = Number(process.env.SOAK_ROUNDS ?? (runsAll ? 4 : 1));
