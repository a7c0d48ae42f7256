import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { programFile } from '../programs.ts'

test('[SE245] antiphon strict keeps no request after its answer', async () => {
  const child = spawn(process.execPath, ['--max-old-space-size=128', programFile('antiphon'), 'strict'])
  child.stderr.resume()
  try {
    const [greeting] = await once(createInterface({ input: child.stdout }), 'line')
    const [url] = /http:\S+/.exec(greeting) ?? []
    const body = JSON.stringify({ model: 'some-model', messages: [{ role: 'user', content: 'a'.repeat(5_000_000) }] })
    for (let sent = 0; sent < 60; sent++) {
      const answer = await fetch(`${url}/v1/unknown`, { method: 'POST', body })
      expect(answer.status).toBe(404)
      await answer.arrayBuffer()
    }
  } finally {
    child.kill('SIGKILL')
  }
})
