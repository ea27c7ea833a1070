#!/usr/bin/env -S node --max-semi-space-size=4 --heap-growing-percent=30
// The command of the packed registry: `start` serves it, everything else operates it. Plain JavaScript, since the
// machine's own Node may be too old for the rest.
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`The registry needs Node.js 24 or newer and runs on ${process.version}.`);
  process.exitCode = 1;
} else {
  await import(process.argv[2] === 'start' ? '../apps/api/dist/main.js' : '../apps/api/dist/registry.js');
}
