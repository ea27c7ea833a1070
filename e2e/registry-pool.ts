import { startRegistry, type Registry } from './registry.ts';

/** The registries that the tests of a worker share. */
export type RegistryPool = {
  /** The registry of the sample agents, which runs until `stop`. */
  getSample(): Promise<Registry>;
  /** The registry that a function starts; a call with another function stops it. */
  get(start: () => Promise<Registry>): Promise<Registry>;
  stop(): Promise<void>;
};

/** Shares registries among files. Worker fixtures of a file would end the worker, with its browser, after the file. */
export function createRegistryPool(): RegistryPool {
  let sample: Registry | undefined;
  let other: { start: () => Promise<Registry>; registry: Registry } | undefined;

  async function stopOther(): Promise<void> {
    await other?.registry.stop();
    other = undefined;
  }

  return {
    getSample: async () => (sample ??= await startRegistry()),
    async get(start) {
      if (other?.start !== start) {
        await stopOther();
        other = { start, registry: await start() };
      }
      return other.registry;
    },
    async stop() {
      await sample?.stop();
      await stopOther();
    },
  };
}
