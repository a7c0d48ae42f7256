import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.soak.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    reporters: ['default'],
  },
})
