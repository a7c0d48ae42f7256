import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { programFile } from '../../programs.ts'
import { root } from '../../repository.ts'
import { antiphon, lines } from './program.ts'

const call = { id: 'call_1', type: 'function', function: { name: 'refund', arguments: '{}' } }
const stuck = [
  { role: 'user', content: 'Refund order 1042.' },
  { role: 'assistant', content: null, tool_calls: [call] },
]

const answersTo = async (...asked: string[]) => {
  const { code, stdout, stderr } = await antiphon(['heal', '--stdio'], { input: `${asked.join('\n')}\n` })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return lines(stdout).map(line => JSON.parse(line))
}

test('[C118] heal --stdio answers each line with the healed body and its report, under the same id', async () => {
  const healthy = [{ role: 'user', content: 'Hello.\u2028Bye.' }]
  const [list, body, untouched] = await answersTo(
    JSON.stringify({ id: 7, body: stuck, for: 'gpt-5' }),
    JSON.stringify({ id: 'a', body: { model: 'gpt-5', messages: stuck } }),
    JSON.stringify({ body: healthy, for: 'openai' }),
  )
  expect(list).toMatchObject({ id: 7, changed: true, remaining: [], repairs: [{ rule: 'unanswered-call' }] })
  expect(list.body.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_1' })
  expect(list.repairs[0]).not.toHaveProperty('edits')
  expect(body).toMatchObject({ id: 'a', changed: true, body: { model: 'gpt-5' } })
  expect(body.body.messages).toEqual(list.body)
  expect(untouched).toEqual({ body: healthy, changed: false, repairs: [], remaining: [] })
})

test('[C118] a line that cannot be healed gets an error, and the next one is healed', async () => {
  const answers = await answersTo(
    ...['nonsense', '', '[]', '{"id":1}', '{"id":2,"body":[],"for":"nobody"}'],
    JSON.stringify({ id: 3, body: stuck }),
  )
  expect(answers.map(({ id, error, changed }) => [id, error?.code ?? changed])).toEqual([
    [undefined, 'not-json'],
    [undefined, 'not-json'],
    [1, 'not-json'],
    [2, 'unknown-dialect'],
    [3, true],
  ])
})

test('[C118] a line that is not UTF-8 gets an error instead of other characters, and the next one is healed', async () => {
  const line = (id: number): Buffer =>
    Buffer.from(`{"id":${id},"body":[{"role":"user","content":"caf\xe9"}]}\n`, 'latin1')
  const input = Buffer.concat([line(1), Buffer.from(line(2).toString('latin1'))])
  const { code, stdout } = await antiphon(['heal', '--stdio'], { input })
  expect(code).toBe(0)
  expect(lines(stdout).map(answer => JSON.parse(answer))).toMatchObject([
    { id: 1, error: { code: 'not-json', message: 'a line cannot be read: it is not UTF-8' } },
    { id: 2, body: [{ content: 'café' }] },
  ])
})

test('[SE241] a line that is nested too deeply to be answered gets an error, and the next one is healed', async () => {
  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  const answers = await answersTo(
    `{"id":1,"body":${deep(20_000)}}`,
    `{"id":2,"body":[{"role":"tool","tool_call_id":"a","content":"b","more":${deep(20_000)}}]}`,
    `{"id":${deep(20_000)},"body":[]}`,
    JSON.stringify({ id: 3, body: stuck }),
  )
  expect(answers.map(({ id, error, changed }) => [id, error?.message ?? changed])).toEqual([
    ...[1, 2, undefined].map(id => [id, 'it is nested too deeply']),
    [3, true],
  ])
})

test('[C118] long numbers stay as they are', async () => {
  const { stdout } = await antiphon(['heal', '--stdio'], {
    input: '{"body":{"messages":[{"role":"user","content":"a"}],"seed":12345678901234567890}}\n',
  })
  expect(stdout).toContain('"seed":12345678901234567890')
})

test('[C118] a line is answered before the input ends', async () => {
  const child = spawn(process.execPath, [programFile('antiphon'), 'heal', '--stdio', '--for', 'openai'])
  const answers = createInterface({ input: child.stdout })
  for (const id of [1, 2]) {
    child.stdin.write(`${JSON.stringify({ id, body: stuck })}\n`)
    const [answer] = await once(answers, 'line')
    expect(JSON.parse(answer)).toMatchObject({ id, changed: true })
  }
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
})

test.each([['chat.json'], ['--write'], ['--dry-run'], ['--json'], ['--because', 'x']])(
  '[C118] --stdio with %s is one line, and nothing is read',
  async (...more) => {
    const { code, stdout, stderr } = await antiphon(['heal', '--stdio', ...more])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(lines(stderr)).toEqual([expect.stringContaining('--stdio cannot be combined with files')])
  },
)

test('[C119] the wrapper for Python heals lists and bodies, raises errors, and starts the proxy', async () => {
  const source = readFileSync(`${root}/examples/python/antiphon.py`, 'utf8').replace(/"""[\s\S]*?"""|^ *#.*/gm, '')
  expect(lines(source).filter(line => line.trim() !== '').length).toBeLessThan(100)
  const server = await startStrict()
  try {
    const program = `
import json, sys, urllib.request
from antiphon import Antiphon, AntiphonError, proxy
command, provider, stuck = json.loads(sys.argv[1])
with Antiphon(command) as antiphon:
    healed = antiphon.heal(stuck, provider="openai")
    same = antiphon.heal({"model": "gpt-5", "messages": stuck})["messages"] == healed
    try:
        antiphon.heal(stuck, provider="nobody")
    except AntiphonError as error:
        code = error.code
with proxy(provider, command) as url:
    body = json.dumps({"model": "gpt-5", "messages": stuck}).encode()
    headers = {"content-type": "application/json", "authorization": "Bearer x"}
    answer = urllib.request.urlopen(urllib.request.Request(url + "/v1/chat/completions", body, headers))
    repairs = answer.headers["x-antiphon-repairs"]
print(json.dumps({"roles": [message["role"] for message in healed], "same": same, "code": code, "status": answer.status, "repairs": repairs}))
`
    const command = [process.execPath, programFile('antiphon')]
    const { stdout } = await promisify(execFile)(
      'python3',
      ['-c', program, JSON.stringify([command, server.url, stuck])],
      { cwd: `${root}/examples/python`, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } },
    )
    expect(JSON.parse(stdout)).toEqual({
      ...{ roles: ['user', 'assistant', 'tool'], same: true, code: 'unknown-dialect' },
      ...{ status: 200, repairs: 'unanswered-call=1' },
    })
  } finally {
    await server.close()
  }
})

test('[SE242] a request in Python that was interrupted leaves no answer to the next one, which gets a new process', async () => {
  const program = `
import json, sys
from antiphon import Antiphon, AntiphonError
command, stuck = json.loads(sys.argv[1])
class Interrupted:
    def readline(self):
        raise TimeoutError
    def close(self):
        pass
told = []
with Antiphon(command) as antiphon:
    antiphon._process.stdout = Interrupted()
    for body in [[{"role": "user", "content": "first"}], stuck]:
        try:
            told.append(len(antiphon.heal(body)))
        except TimeoutError:
            told.append("interrupted")
    antiphon._process.kill()
    for body in [stuck, stuck]:
        try:
            told.append(len(antiphon.heal(body)))
        except AntiphonError as error:
            told.append(error.code)
try:
    antiphon.heal(stuck)
except AntiphonError as error:
    told.append(str(error))
print(json.dumps(told))
`
  const command = [process.execPath, programFile('antiphon')]
  const { stdout } = await promisify(execFile)('python3', ['-c', program, JSON.stringify([command, stuck])], {
    cwd: `${root}/examples/python`,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  expect(JSON.parse(stdout)).toEqual(['interrupted', 3, 'unreadable', 3, 'the antiphon process has ended'])
})

test('[SE431] processes in Python that were forked get no answers of each other, and the first one can close', async () => {
  const program = `
import json, os, sys
from antiphon import Antiphon
[command] = json.loads(sys.argv[1])
def others(antiphon, name):
    texts = [f"{name} {number}" for number in range(30)]
    return sum(antiphon.heal([{"role": "user", "content": text}])[0]["content"] != text for text in texts)
antiphon = Antiphon(command)
first = others(antiphon, "before")
children = []
for number in range(3):
    child = os.fork()
    if child == 0:
        # More than 200 would be cut to a byte.
        os._exit(min(others(antiphon, f"child {number}"), 200))
    children.append(child)
during = others(antiphon, "parent")
wrong = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
child = os.fork()
if child == 0:
    sys.stdin.read()
    os._exit(0)
antiphon.close()
print(json.dumps([first, during, *wrong]), flush=True)
os.kill(child, 9)
`
  const command = [process.execPath, programFile('antiphon')]
  const { stdout } = await promisify(execFile)('python3', ['-c', program, JSON.stringify([command])], {
    cwd: `${root}/examples/python`,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  expect(JSON.parse(stdout)).toEqual([0, 0, 0, 0, 0])
})
