import { expect, test } from 'vitest'
import { antiphon } from '../apps/cli/program.ts'

const key = 'sk-proj-AbCdEf1234567890abcdef'
const password = 'hunter2verysecret'
const body = JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'hi' }] })

test.each([
  [`https://gateway.example/${key}/v1/chat/completions`, 'gateway.example/[key]/v1/chat/completions'],
  [`https://ada:${password}@api.example/v1?key=${key}`, 'api.example/v1'],
  [`ada:${password}@api.example/v1`, 'api.example/v1'],
  [`api.example/${key}/v1?key=${password}`, 'api.example/[key]/v1'],
  [`https://ada:${password}@/v1?key=${key}`, '/v1'],
])('[SE295] where a copied request is sent is printed without its secrets: %#', async (url, place) => {
  for (const command of ['check', 'heal', 'shrink']) {
    const { stdout, stderr } = await antiphon([command, '-'], {
      input: `curl '${url}' -H 'authorization: Bearer ${key}' -d '${body}'`,
    })
    expect(stdout + stderr).not.toMatch(/hunter2|AbCdEf/)
    if (command === 'check') expect(stdout + stderr).toContain(`sent to ${place}\n`)
  }
})
