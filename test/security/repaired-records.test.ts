import { expect, test } from 'vitest'
import { requestsIn } from '../../src/apps/cli/input/request-lines.ts'
import { heal } from '../../src/heal/heal.ts'

const broken = '[{"role":"user","content":"hi", "at": 1.50},{"role":"tool","tool_call_id":"a","content":"x"}]'
const healthy = '[ {"role": "user", "content": "\\u00e9"} ]'

async function healed(line: string): Promise<string> {
  const bytes = Buffer.from(line)
  async function* lines() {
    yield { number: 1, bytes, bytesRead: bytes.length }
  }
  let after = ''
  for await (const one of requestsIn({ name: 'x.jsonl', lines: lines() }, {}, JSON.parse))
    if ('history' in one) {
      const messages = heal(one.input.history, { format: 'openai-chat' }) as readonly unknown[]
      if (messages !== one.input.history) one.foundIn?.replace?.(messages)
    } else after = one.bytes.toString()
  return after
}

const call =
  '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"unknown_tool","arguments":"{}"}}]}'
const repaired = broken.replace('},{"role":"tool"', `},${call},{"role":"tool"`)

test.each([
  [
    'a record of a batch',
    (list: string) =>
      `{"custom_id": 1.0, "url": "\\/v1", "body": {"temperature": 1.0, "messages": ${list}, "n": 1e2}}\r\n`,
  ],
  [
    'members with one name, and names that are numbers',
    (list: string) =>
      `{"b":1,"2":2,"1":1,"dup":1,"body":{"messages":${healthy}},"dup":2,"body":{"messages":${list}},"__proto__":{"a":1.0}}`,
  ],
  ['a list in a list', (list: string) => `[1.0, {"messages":${list}} , {"messages": ${healthy}}]`],
  ['a byte order mark', (list: string) => `\uFEFF  {"a":{"input":${list}},"x":1.0}  `],
])('[SE471] what is around a repaired history stays byte for byte: %s', async (_name, record) => {
  expect(await healed(record(broken))).toBe(record(repaired))
  expect(await healed(record(healthy))).toBe(record(healthy))
})

test('[SE471] so does what is around it in a text', async () => {
  const record = (list: string): string => `{"n": 1.0, "log": ${JSON.stringify(`{"t": 1.0, "messages": ${list} }`)} }`
  expect(await healed(record(broken))).toBe(record(repaired))
  expect(await healed(record(healthy))).toBe(record(healthy))
})
