import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CodecId, healRequest } from '../../src/index.ts'
import { files, root } from '../repository.ts'
import { type Reader, readers, refusal, requestOf } from './readers.ts'

interface Case {
  id: string
  class: string
  format: string
  for?: string
  error: string
  messages: unknown[]
  request?: Record<string, unknown>
}

/** The models that refused these, where others of their provider would not have. */
const models: Record<string, string> = {
  'hermes-agent-66587': 'gemini-3-pro-preview',
  'paper-chat-for-zotero-16': 'deepseek-reasoner',
  'strands-harness-sdk-1223': 'us.meta.llama4-maverick-17b-instruct-v1:0',
}

/** Why a strict provider takes these as they are. */
const taken: Record<string, string> = {
  'Wegent-2657': 'whether results may come apart is an open question (an-OPEN-split)',
  'agency-swarm-367': 'only the server that made an item knows which reasoning it had (or-fc-no-reasoning)',
  'codex-46193': 'another reader refused it: OpenAI takes a batch that its own results divide',
  'craft-agents-oss-753': 'a gateway refused it: ids may come again in a later turn',
  'crewAI-6973': 'known from third parties only (ge-end)',
  'hermes-agent-66587': 'signatures are demanded in the current turn only, and here they are lost in an earlier one',
  'laravel-ai-1052': 'only the server that made an item knows which reasoning it had (or-fc-no-reasoning)',
  'litellm-39268': 'a gateway refused it: OpenAI takes a calling message without the key',
  'local-vllm-684': 'a local server refused it, while it translated the items for its template',
  'mastra-10713': 'only the server that made an item knows which reasoning it had (or-fc-no-reasoning)',
  'openai-agents-js-326': 'its reasoning item has what it led to: a client lost it on the way',
  'picoclaw-2528': 'it is healthy, and was broken by a cleaner',
}

const cases = files('test/corpus/*.json').map(file => JSON.parse(readFileSync(join(root, file), 'utf8')) as Case)
const subjects = cases.flatMap(example => {
  const format = example.format === 'mistral' ? 'openai-chat' : example.format
  const reader = readers.find(known => known.dialect === example.for && known.format === format)
  return reader ? [{ ...example, reader: { ...reader, model: models[example.id] ?? reader.model } }] : []
})

describe('every real case', () => {
  test.each(subjects.filter(({ id }) => !(id in taken)))(
    '[S4] is refused as it is, and accepted once it is healed: $id',
    ({ reader, messages, request }) => {
      expect(refusal(messages, reader, request)?.status).toBeGreaterThanOrEqual(400)
      const { body } = heal(messages, reader, request)
      expect(refusal(listIn(body, reader), reader, body)).toBe(undefined)
    },
  )

  test('[S4] those that no strict provider refuses are known, each with its reason', () => {
    const accepted = subjects.filter(({ reader, messages, request }) => !refusal(messages, reader, request))
    expect(accepted.map(({ id }) => id)).toEqual(Object.keys(taken))
    for (const { reader, messages, request } of accepted) {
      const { body } = heal(messages, reader, request)
      expect(refusal(listIn(body, reader), reader, body)).toBe(undefined)
    }
    console.log(table())
  })
})

/** A request as the client would have sent it, healed whole. */
const heal = (messages: unknown[], reader: Reader, request: Record<string, unknown> = {}) =>
  healRequest(requestOf(messages, reader, request), {
    for: reader.dialect,
    format: reader.format as CodecId,
    model: reader.model,
  })

const listIn = (body: Record<string, unknown>, { format }: Reader): unknown[] =>
  (format === 'openai-responses' ? body.input : format === 'gemini' ? body.contents : body.messages) as unknown[]

function table(): string {
  const rows = [...new Set(subjects.map(({ reader }) => reader.dialect))].sort().map(dialect => {
    const own = subjects.filter(({ reader }) => reader.dialect === dialect)
    const refused = own.filter(({ reader, messages, request }) => refusal(messages, reader, request))
    return `${dialect.padEnd(18)} ${String(own.length).padStart(5)} ${String(refused.length).padStart(8)} ${String(own.length).padStart(9)}`
  })
  const reasons = Object.entries(taken).map(([id, reason]) => `${id}: ${reason}`)
  return [
    'provider           cases  refused  accepted',
    '                          before     after',
    ...rows,
    '',
    'not refused:',
    ...reasons,
  ].join('\n')
}
