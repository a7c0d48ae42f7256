import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRejection } from '../../src/heal/rejections/read-rejection.ts'
import { rejectionTable } from '../../src/heal/rejections/table/index.ts'
import { facts } from '../../src/strict/facts/index.ts'

const load = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))
const texts: { row: number; kind: string; status: string; text: string }[] = load('texts.json')
const variants: { kind: string | null; status: number; text: string }[] = load('variant-texts.json')
const negatives: { case: string; status: number; text: string }[] = load('negatives.json')

/** How gateways pass on what a provider said. */
const wrappings: Record<string, (text: string) => unknown> = {
  'plain text': text => text,
  OpenAI: message => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  Anthropic: message => ({ type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' }),
  'an array': message => [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }],
  'a string as error': error => ({ code: 'invalid-argument', error }),
  'Bedrock and Copilot': message => ({ message }),
  'Vertex, JSON in a string': message => ({
    error: { code: 400, message: JSON.stringify({ type: 'error', error: { message } }), status: 'INVALID_ARGUMENT' },
  }),
  OpenRouter: message => ({
    error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify({ error: { message } }) } },
  }),
  LiteLLM: message => ({
    error: {
      message: `litellm.BadRequestError: BedrockException - ${JSON.stringify({ message: JSON.stringify({ message }) })}. Received Model Group=x\nAvailable Model Group Fallbacks=None`,
      type: 'None',
      code: '400',
    },
  }),
  'a relay': message => ({ error: { message: 'failed', upstream_error: JSON.stringify({ error: { message } }) } }),
  'the events of a stream': message =>
    `event: response.created\ndata: {"type":"response.created"}\n\nevent: error\ndata: ${JSON.stringify({ type: 'error', error: { message } })}\n\n`,
}

/** Rows whose text another row's kind answers as well: the repair is the same. */
const sameRepair: Record<number, string> = {
  132: 'part-type',
  176: 'foreign-field',
  177: 'foreign-field',
  178: 'foreign-field',
}

/** Classes of the cases that the repair of another kind answers. */
const answeredAs: Record<string, string> = { parameter: 'foreign-field', 'tool-schema': 'request-bytes' }

describe('known rejections', () => {
  test.each(texts)('[RJ1] row $row: $text', ({ row, kind, status, text }) => {
    const code = Number.parseInt(status, 10) || 400
    for (const [name, wrap] of Object.entries(wrappings)) {
      const body = wrap(text)
      expect(readRejection(code, body)?.kind, name).toBe(sameRepair[row] ?? kind)
      expect(
        readRejection(code, typeof body === 'string' ? body : JSON.stringify(body))?.kind,
        `${name}, as text`,
      ).toBe(sameRepair[row] ?? kind)
    }
  })

  test.each(variants)('[RJ31] $status $text: $kind', ({ kind, status, text }) => {
    for (const [name, wrap] of Object.entries(wrappings))
      expect(readRejection(status, wrap(text))?.kind, name).toBe(kind ?? undefined)
  })

  test.each(negatives)('[RJ2] $case is known, and passed on: $text', ({ case: name, status, text }) => {
    // A reference to state that is gone is told apart from a history that shows all of it when it is repaired.
    const kind = name === 'no-delta-anchor' ? 'server-state' : 'not-healable'
    for (const [wrapping, wrap] of Object.entries(wrappings))
      expect(readRejection(status, wrap(text))?.kind, wrapping).toBe(kind)
  })

  test('[RJ2] a message that cannot be repaired counts, whatever accompanies it', () => {
    const beside = 'prompt is too long: 202128 tokens > 200000 maximum'
    const mixed = ['Your credit balance is too low.', 'Rate limit reached for tokens per minute (TPM).']
    for (const text of mixed) expect(readRejection(400, `${text} ${beside}`)?.kind).toBe('not-healable')
    expect(readRejection(400, beside)?.kind).toBe('context-overflow')
  })
})

test('[RJ1] every shared case is read as its class', () => {
  const folder = join(import.meta.dirname, 'cases')
  const wrong: string[] = []
  for (const file of readdirSync(folder)) {
    const { class: kind, refusal } = load(join('cases', file))
    const read = readRejection(refusal.status, refusal.body)
    const same =
      read?.kind === kind || answeredAs[kind] === read?.kind || (kind === 'not-healable' && read === undefined)
    if (!same) wrong.push(`${file}: ${kind} is read as ${read?.kind} (${read?.id})`)
  }
  expect(wrong).toEqual([])
})

test('[RJ3] unknown messages, empty and foreign bodies are not a rejection', () => {
  const bodies = [
    '',
    undefined,
    null,
    {},
    [],
    7,
    'Bad Request',
    '\u0000<html>',
    { error: {} },
    { error: { message: 'no such thing' } },
  ]
  for (const body of bodies) for (const status of [400, 413, 500]) expect(readRejection(status, body)).toBeUndefined()
})

test('[RJ4] every entry has a unique name, a source or a fact of its name, and a repair or is passed on', () => {
  const ids = rejectionTable.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  const factIds = facts.map(({ id }) => id)
  for (const { id, kind, repair, source, history } of rejectionTable) {
    // Where the error of a history was seen is recorded with the fact.
    if (kind === 'history') expect(factIds, id).toContain(id)
    else expect(source, id).toMatch(/^(https:\/\/|[\w.-]+\/[\w./-]+(#\d+)?$)/)
    expect(repair !== undefined || history !== undefined || kind === 'not-healable', id).toBe(true)
  }
})
