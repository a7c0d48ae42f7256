import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { failures as demo } from '../../../src/apps/demo-failures.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { serve } from './serving.ts'

interface Program {
  readonly command: string
  args(url: string, stream: boolean): string[]
}

const script = `
import json, sys, urllib.error, urllib.request
body = sys.stdin.buffer.read()
request = urllib.request.Request(sys.argv[1], data=body, headers={"Authorization": "Bearer any", "Content-Type": "application/json"})
try:
    with urllib.request.urlopen(request) as response:
        words = b"".join(line for line in response)
        print(response.status)
except urllib.error.HTTPError as error:
    words = error.read()
    print(error.code)
sys.stdout.flush()
sys.stdout.buffer.write(words)
`

/** Programs in other languages, with nothing of ours in them. A machine without one of them fails here, and says so. */
const programs: Record<string, Program> = {
  curl: {
    command: 'curl',
    args: (url, stream) => [
      ...['--silent', '--show-error', ...(stream ? ['--no-buffer'] : []), '--write-out', '\\n%{http_code}'],
      ...['--header', 'authorization: Bearer any', '--data-binary', '@-', url],
    ],
  },
  'Python’s standard library': { command: 'python3', args: url => ['-c', script, url] },
}

const cases = Object.entries(programs).flatMap(([name, program]) =>
  demo.flatMap(failure => [false, true].map(stream => ({ name, program, failure, stream, title: failure.title }))),
)

test.each(cases)('[PX2] $name, streaming $stream: $title', async ({ program, failure, stream }) => {
  await using strict = await startStrict()
  const { url } = await serve({ to: strict.url })
  const body = JSON.stringify({ ...failure.request.body, stream, messages: failure.history })
  const path = `/${failure.for}${failure.request.path}`
  expect(await run(program, strict.url + path, stream, body)).toMatch(/\b400\b/)
  const answer = await run(program, url + path, stream, body)
  expect(answer).toMatch(/(^200\n|\n200$)/)
  expect(answer.includes('data: ')).toBe(stream)
})

async function run({ command, args }: Program, url: string, stream: boolean, body: string): Promise<string> {
  const child = spawn(command, args(url, stream), { stdio: ['pipe', 'pipe', 'inherit'] })
  let heard = ''
  child.stdout.on('data', chunk => {
    heard += chunk
  })
  child.stdin.on('error', () => {})
  child.stdin.end(body)
  const code = await new Promise((resolve, reject) => {
    child.on('error', error => reject(new Error(`this test needs ${command} on the machine`, { cause: error })))
    child.on('close', resolve)
  })
  expect(code).toBe(0)
  return heard
}
