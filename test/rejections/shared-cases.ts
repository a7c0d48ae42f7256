import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accepts, expand, kept, pairs } from './judge.mjs'

/** A rejection that was met in the field, the request that it answered, and what a repaired request must be. */
export interface RejectionCase {
  readonly id: string
  readonly class: string
  readonly provider: string
  readonly format: string
  readonly refusal: { readonly status: number; readonly body: unknown }
  readonly request: unknown
  readonly accept: readonly object[]
  readonly keep: readonly string[]
}

const folder = join(import.meta.dirname, 'cases')

export const sharedCases: readonly RejectionCase[] = readdirSync(folder).map(file =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')),
)

export const requestOf = ({ request }: RejectionCase): Record<string, unknown> => expand(request)

export const bodyOf = ({ refusal: { body } }: RejectionCase): string =>
  typeof body === 'string' ? body : JSON.stringify(body)

/** What is wrong with a request that was repaired for a case; nothing if it is as the case wants it. */
export function objections(repaired: unknown, { accept, keep }: RejectionCase): string[] {
  const [rejected, lost, { ok }] = [accepts(repaired, accept), kept(repaired, keep), pairs(repaired)]
  return [
    ...rejected.map((condition: unknown) => `does not hold: ${JSON.stringify(condition).slice(0, 200)}`),
    ...lost.map((word: string) => `lost: ${word.slice(0, 80)}`),
    ...(ok ? [] : ['calls and results are not one to one']),
  ]
}

/** The path that requests of a format go to. */
export function pathOf({ format }: RejectionCase, request: Record<string, unknown>): string {
  if (format === 'openai-chat') return '/v1/chat/completions'
  if (format === 'openai-responses') return '/v1/responses'
  if (format === 'anthropic') return '/v1/messages'
  if (format === 'bedrock') return `/model/${encodeURIComponent(String(request.modelId))}/converse`
  return `/v1beta/models/${String(request.model ?? 'gemini-3-pro')}:generateContent`
}
