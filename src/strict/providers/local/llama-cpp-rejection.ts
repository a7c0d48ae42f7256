import { objectOf } from '../../json.ts'
import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure, StrictRequest } from '../../provider.ts'

/**
 * A rejection of llama.cpp's server, which shows the position in the template. With tools the server first analyses in the
 * template how calls are written, and fails there.
 */
export function llamaCppRejection(reason: RejectionReason, { body }: StrictRequest): ProviderFailure {
  const { tools } = objectOf(body)
  if (!Array.isArray(tools) || tools.length === 0)
    return { status: 500, body: { error: { code: 500, message: trace(reason), type: 'server_error' } } }
  const message = `Unable to generate parser for this template. Automatic parser generation failed: ${trace(reason)}`
  return { status: 400, body: { error: { code: 400, message, type: 'invalid_request_error' } } }
}

/** The source around the position, forty characters on each side, with a mark for line ends. */
function trace({ fact, message, at }: RejectionReason): string {
  const isResult = fact === 'tp-id9' && !at.includes('tool_calls')
  const { line, column, lead, quote, tail = '' } = places[isResult ? 'tp-id9 result' : fact] ?? places['tp-role']
  const before = `${lead}raise_exception`.slice(-radius)
  const after = `(${quote}${message}${quote})${tail}`.slice(0, radius)
  const source = `...${before}${after}...\n${' '.repeat(3 + radius)}^`
  return `\n------------\nWhile executing CallExpression at line ${line}, column ${column} in source:\n${source}\nError: Jinja Exception: ${message}`
}

const radius = 40

interface Place {
  line: number
  column: number
  /** The source before and after the call that raises the exception, as far as it is shown. */
  lead: string
  quote: '"' | "'"
  tail?: string
}

const orElse = ' {%- else %}↵        {{- '
const alternation = '== 0) %}↵            {{- '

/** Where published templates raise which exception, by fact. */
const places: Readonly<Record<string, Place> & { 'tp-role': Place }> = {
  'tp-no-messages': { line: 43, column: 24, lead: ' not messages %}↵    {{- ', quote: "'", tail: ' }}↵{%- endif %' },
  'tp-no-user': { line: 79, column: 24, lead: 'lti_step_tool %}↵    {{- ', quote: "'", tail: ' }}↵' },
  'tp-system-first': { line: 85, column: 32, lead: 'first %}↵            {{- ', quote: "'" },
  'tp-role': { line: 145, column: 28, lead: orElse, quote: "'", tail: ' }}↵    {%- ' },
  'tp-alt-gemma': { line: 19, column: 27, lead: '% 2 == 0) -%}↵        {{ ', quote: '"' },
  'tp-tools-first-user': { line: 52, column: 28, lead: orElse, quote: '"' },
  'tp-single-call': { line: 71, column: 32, lead: ' == 1 %}↵            {{- ', quote: '"' },
  'tp-alt-mistral-old': { line: 18, column: 32, lead: alternation, quote: '"' },
  'tp-id9': { line: 62, column: 36, lead: '9 %}↵                {{- ', quote: '"' },
  'tp-id9 result': { line: 81, column: 32, lead: ' != 9 %}↵            {{- ', quote: '"' },
  'tp-roles-only': { line: 85, column: 28, lead: orElse, quote: '"' },
  'tp-alt-mistral-new': { line: 46, column: 32, lead: alternation, quote: "'" },
  'tp-roles-new': { line: 117, column: 28, lead: orElse, quote: "'" },
  'tp-gptoss-orphan': { line: 295, column: 32, lead: ' none %}↵            {{- ', quote: '"' },
}
