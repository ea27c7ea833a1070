// Runs after each installation. Plain JavaScript, since the machine's own Node may be too old for TypeScript.
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `This needs Node.js 24 or newer and runs on ${process.version}: no package brings Node.js 24 to ` +
      `${process.platform}-${process.arch}, or optional packages were left out. Install Node.js 24, then try again.`,
  );
  process.exit(1);
}
