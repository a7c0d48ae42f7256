import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('[OT23] where `@opentelemetry/api` is not installed everything works, it is looked for once, and nobody is warned', async () => {
  const child = fork(fileURLToPath(import.meta.resolve('./without-api.ts')), { execArgv: [] })
  const [told] = await once(child, 'message')
  expect(told).toEqual({
    loaded: 0,
    asked: ['@opentelemetry/api'],
    results: Array(3).fill({ status: 'done', turn: 1 }),
    healed: [3],
    warnings: [],
  })
})
