import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { addressWithoutPassword } from '../../src/doctor/address.ts'
import { findStores } from '../../src/doctor/find-stores.ts'
import { systems } from '../../src/doctor/systems.ts'
import { readUpstreams } from '../../src/integrations/proxy/routes.ts'
import { openJournal } from '../../src/journal/index.ts'
import { createTape } from '../../src/observe/tape/index.ts'
import { all } from '../doctor/contract.ts'

function recording(redact: boolean) {
  const lines: string[] = []
  return { tape: createTape({ write: line => lines.push(line), redact }), text: () => lines.join('') }
}

/** What providers and clients say in errors, with a key in it. */
const quoting = [
  'Incorrect API key provided: 3f2ahidden9b1c4d5e6f708192a3b4c5d6.',
  'Invalid x-api-key: "hidden0123456789abcdef"',
  'api_key=hidden0123456789abcdef is not valid',
  'The token hf_hidden0123456789abcdef has no access',
  'token ghp_hidden0123456789abcdef01234567 expired',
  'glpat-hidden0123456789abcd and xoxb-hidden-012345678901',
  'Invalid API Key gsk_hidden0123456789abcd',
  "API key 'csk-hidden0123456789' is not valid",
  'Authentication failed for sk_live_hidden01234567',
  'Authentication failed for fw_3Zhidden0123456789',
  'Authentication failed for ya29.a0hiddenAfH6SMBabcdefghijkl',
  'API key AQ.hiddenAb8RN6abcdefghijklmn not valid',
  'Authentication failed for ABSKhiddenQmVkcm9ja0FQSUtleS1abc',
  'Authentication failed for jina_hidden0123456789',
  'Authentication failed for pa-hidden0123456789abcdef',
  'Invalid API key hidden0123456789abcdef0123456789',
  'AKIAHIDDEN0123456789 is not authorised',
  'Authorization: Basic aGlkZGVuOmhpZGRlbg== was refused',
  'Failed to parse URL from https://host.test/v1/models?key=hidden0123456789',
  'cannot reach https://ada:hidden@host.test/v1/chat',
  'password authentication failed for postgres://ada:hidden@db.test:5432/app?password=hidden',
  'connect ECONNREFUSED redis://:hidden@cache.test',
]

describe.each([true, false])('a tape, with redact %s', redact => {
  test.each(quoting)('[SE6] an error that quotes a key does not keep it: %s', words => {
    const { tape, text } = recording(redact)
    tape.response(undefined, { status: 401, body: { error: { message: words } } })
    tape.response(undefined, { status: 500, body: words })
    tape.response(undefined, { refusal: words })
    expect(text()).not.toMatch(/hidden|aGlkZGVu/i)
    expect(text()).toContain('[key]')
  })

  test.each(quoting)('[SE6] nor does one that comes with status 200: %s', words => {
    const { tape, text } = recording(redact)
    const bodies = [
      { error: { message: words, metadata: { raw: words } } },
      { error: words },
      { type: 'error', error: { type: 'authentication_error', message: words } },
      { object: 'error', message: words, code: 40_101 },
      { message: words },
      { detail: [{ msg: words }] },
      { errors: [words] },
      [{ error: { code: 401, message: words, details: [{ reason: words }] } }],
      { status: 'failed', last_error: { message: words } },
      { id: 'r', status: 'failed', output: [{ type: 'mcp_call', error: words }] },
      { __type: 'UnrecognizedClientException', message: words },
      words,
      JSON.stringify({ error: { message: words } }),
    ]
    for (const body of bodies) tape.response(undefined, { status: 200, body })
    expect(text()).not.toMatch(/hidden|aGlkZGVu/i)
  })

  test('[SE6] what is a key by its name is left out of a request', () => {
    const { tape, text } = recording(redact)
    const names = [
      ...['authorization', 'Authorization', 'proxy-authorization', 'authorization_token', 'headers', 'http_headers'],
      ...['api_key', 'apiKey', 'api-key', 'x-api-key', 'x_api_key', 'X-Goog-Api-Key', 'access_token', 'accessToken'],
      ...['auth_token', 'authToken', 'bearer_token', 'refresh_token', 'client_secret', 'clientSecret', 'secret'],
      ...['secret_key', 'secretAccessKey', 'aws_secret_access_key', 'aws_session_token', 'private_key', 'password'],
      ...['passwd', 'credentials', 'connection_string', 'cookie', 'set-cookie'],
    ]
    const server = Object.fromEntries(names.map((name, index) => [name, `hidden${index}`]))
    tape.request({ body: { model: 'm', input: 'Hi', tools: [{ type: 'mcp', ...server, nested: [{ server }] }] } })
    tape.response(undefined, { status: 200, body: { id: 'r', tools: [{ type: 'mcp', ...server }] } })
    expect([...new Set(text().match(/hidden\d+/g) ?? [])].map(word => names[Number(word.slice(6))])).toEqual([])
  })

  test('[SE6] what a model said stays, unless it is to be hidden', () => {
    const { tape, text } = recording(redact)
    const words = 'The token sk-0123456789abcdef is in your .env'
    tape.response(undefined, { status: 200, body: { choices: [{ message: { role: 'assistant', content: words } }] } })
    expect(text().includes(words)).toBe(!redact)
  })

  test('[SE6] harmless words of an error stay', () => {
    const { tape, text } = recording(redact)
    const words =
      'messages.14: tool_use ids were found without tool_result blocks: toolu_01A. max_tokens: 4096 tokens; basic information'
    tape.response(undefined, { status: 400, body: { error: { message: words } } })
    expect(text()).toContain(words)
  })
})

describe('addresses', () => {
  const hostile = [
    'postgres://ada:hidden@db.test:5432/app',
    'postgres://ada:hid%40den-hidden@db.test/app?sslpassword=hidden',
    'postgres://ada:hid/den-hidden@db.test/app',
    'postgres://ada:hid#den-hidden@db.test/app',
    'postgres://ada:hid?hidden@db.test/app',
    'postgres://ada:hidden',
    'postgres://ada:hidden@[::1/app',
    'postgres://db.test/app?password=hidden&user=ada',
    'postgresql://ada:hidden@nowhere.invalid:1/app?connect_timeout=1',
  ]

  test.each(hostile)('[SE6] %s is shown without its password, by every error', async address => {
    expect(addressWithoutPassword(address)).not.toContain('hidden')
    const outcome = await openJournal(address, { reconnectMs: 0 }).then(
      async journal => {
        await using opened = journal
        return all(opened.threads()).catch((error: unknown) => error)
      },
      (error: unknown) => error,
    )
    expect(allOf(outcome)).not.toContain('hidden')
    expect(outcome).toBeInstanceOf(Error)
  })

  test.each([
    'https://ada:hidden@host.test',
    'https://host.test/?key=hidden',
    'ftp://ada:hidden@host.test',
    'hidden@//x',
  ])('[SE6] an upstream %s is refused without its key', to => {
    const refusal = (() => {
      try {
        readUpstreams(to)
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toBeInstanceOf(Error)
    if (to.includes('://')) expect(allOf(refusal)).not.toContain('hidden')
  })
})

/** Everything that an error would show: its words, its fields and what caused it. */
function allOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? ''
  const { message, stack, cause, ...fields } = error as Error & Record<string, unknown>
  return [message, JSON.stringify(fields), error.stack, cause === undefined ? '' : allOf(cause)].join('\n')
}

test.each([
  'POSTGRES://u:S3cret@127.0.0.1:1/x',
  'postgresql+psycopg://u:S3cret@127.0.0.1:1/x',
  'jdbc:postgresql://u:S3cret@127.0.0.1:1/x',
  'postgres:u:S3cret@127.0.0.1:1/x',
  'mysql://u:S3cret@127.0.0.1/x',
])('[SE6] the doctor does not repeat the password of %s', address => {
  const [found, ...more] = findStores(address, systems)
  expect(more).toEqual([])
  expect(found).toMatchObject({ kind: 'unreadable', error: { code: 'unreadable' } })
  expect(inspect(found)).not.toContain('S3cret')
})
