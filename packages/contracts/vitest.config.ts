import { defineConfig } from 'vitest/config';

// No test changes what another file's tests import.
export default defineConfig({ test: { isolate: false } });
