import { isRecord } from '../../../core/conversation.ts'
import { asFields, type MutableFields } from '../../../core/request/body-draft.ts'
import { findPath, pathText } from '../paths.ts'
import type { RequestDraft } from '../request-draft.ts'
import { charsOf, clip, shorten, shortenToWindow } from './length.ts'

/** Where a request limits the tokens of the answer. */
function budgetOf(
  draft: RequestDraft,
): { readonly holder: MutableFields; readonly key: string; readonly value: number } | undefined {
  const holders = [draft.body, draft.body.inferenceConfig, draft.body.generationConfig, draft.body.generation_config]
  for (const holder of holders) {
    for (const key of ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxTokens', 'maxOutputTokens']) {
      const value = asFields(holder)?.[key]
      if (typeof value === 'number') return { holder: holder as MutableFields, key, value }
    }
  }
  return undefined
}

/** Lowers the limit of tokens for the answer, and the thinking budget, which must be lower than that limit. */
function lower(draft: RequestDraft, max: number): void {
  const budget = budgetOf(draft)
  if (budget && budget.value <= max) return
  const { holder, key } = budget ?? {
    holder: draft.body,
    key: draft.format === 'openai-responses' ? 'max_output_tokens' : 'max_tokens',
  }
  draft.change('lossless', key, `${key} is lowered to ${max}, the most that is possible here`, () => {
    holder[key] = max
  })
  const thinking =
    asFields(draft.body.thinking) ?? asFields(asFields(draft.body.additionalModelRequestFields)?.thinking)
  if (thinking?.type !== 'enabled' || typeof thinking.budget_tokens !== 'number' || thinking.budget_tokens < max) return
  draft.change('lossless', 'thinking.budget_tokens', 'the thinking budget is lowered with it', () => {
    thinking.budget_tokens = Math.max(1024, Math.floor(max * 0.8))
  })
}

/** An answer of fewer tokens is not worth asking for, and thinking needs 1024. */
const usefulMin = (draft: RequestDraft, limit: number): number =>
  asFields(draft.body.thinking)?.type === 'enabled' ? 2048 : Math.min(256, Math.floor(limit / 32))

/** The history and the answer that was asked for do not fit together: a shorter answer is asked for, and the history is shortened only if that is not enough. */
export function fitOutput(draft: RequestDraft): void {
  const { limit = 0, used = 0, over = 0, asked = 0 } = draft.rejection
  const sent = used + over
  const rest = Math.floor((limit - sent) * 0.99)
  if (rest >= usefulMin(draft, limit)) lower(draft, rest)
  else {
    const answer = Math.min(asked || limit, Math.floor(limit / 4))
    shorten(draft, Math.floor((charsOf(draft.body) * (limit - answer) * 0.9) / Math.max(sent, 1)))
    if (draft.changed) lower(draft, answer)
  }
}

/** The request asks for more tokens than the model can answer with. */
export function capOutput(draft: RequestDraft): void {
  const { limit, text } = draft.rejection
  if (limit !== undefined && budgetOf(draft)) lower(draft, text.includes('(exclusive)') ? limit - 1 : limit)
}

/** The error names only the window: the limit is the estimated rest of the window. */
export function fitRest(draft: RequestDraft): void {
  const { limit = 0 } = draft.rejection
  const sent = Math.ceil((charsOf(draft.body) / 4) * 1.2)
  const rest = limit - sent
  if (rest >= usefulMin(draft, limit) && (budgetOf(draft)?.value ?? 0) > rest) lower(draft, rest)
  else shortenToWindow(draft)
}

/** The prompt is too long for a window that prompt and answer share. After it is shortened, the rest may still be less than the answer that was asked for. */
export function fitPrompt(draft: RequestDraft): void {
  const { limit, used } = draft.rejection
  const before = charsOf(draft.body)
  shortenToWindow(draft)
  if (!draft.changed || limit === undefined || used === undefined) return
  const rest = Math.floor((limit - used * (charsOf(draft.body) / before)) * 0.95)
  if (budgetOf(draft) && rest >= usefulMin(draft, limit)) lower(draft, rest)
}

/** The number in the error includes the answer: if the history alone fits, only the answer is shortened. */
export function fitWindow(draft: RequestDraft): void {
  const { limit = 0, used = 0, asked = 0 } = draft.rejection
  if (asked > 0 && used - asked < limit && budgetOf(draft)) lower(draft, Math.floor((limit - (used - asked)) * 0.99))
  else shortenToWindow(draft)
}

/** A string that is too long at a place: it is cut there, and wherever the same field is too long. */
export function cutString(draft: RequestDraft): void {
  const { limit = 0, paths, parameter } = draft.rejection
  if (paths.length === 0 && parameter !== undefined) {
    const { value, holder } = findPath(draft.body, parameter.split('.'))
    const key = parameter.split('.').at(-1) ?? ''
    if (typeof value === 'string' && value.length > limit && holder && !structural.test(key))
      cut(draft, holder as MutableFields, key, value, parameter, limit)
    return
  }
  if (paths.length === 0 && limit < limitMin) return
  // However many places the text names, the request is walked once for all of them.
  const keys = new Set<string>()
  const values = new Set<unknown>(paths.length === 0 ? [draft.body] : [])
  for (const path of paths) {
    const { value, holder } = findPath(draft.body, path)
    const key = path.at(-1)
    if (key === undefined || enumerated.has(String(key))) continue
    if (typeof value === 'string') keys.add(String(key))
    else if (isRecord(value) || Array.isArray(value)) values.add(value)
    else if (!holder) values.add(draft.body)
  }
  if (keys.size > 0)
    walkStrings(draft.body, (holder, name, text, at) => {
      if (keys.has(name) && text.length > limit) cut(draft, holder, name, text, at, limit)
    })
  for (const value of values) cutLongest(draft, value, limit)
}

function cutLongest(draft: RequestDraft, value: unknown, limit: number): void {
  walkStrings(value, (holder, name, text, at) => {
    if (text.length > limit && !structural.test(name)) cut(draft, holder, name, text, at, limit)
  })
}

/** Fields that have one of a few values, which must not be cut. */
const enumerated: ReadonlySet<string> = new Set(['type', 'role', 'model', 'status'])

/** Fields that name the type of a part, or that refer to another part or to something stored by the provider. */
const structural =
  /^(type|role|model|status|name|format|signature|media_?type|mime_?type|.*_?ids?|.*Ids?|.*encrypted.*|.*signature)$/i

/** No provider has a limit below this. A misread one would cut every text of the conversation. */
const limitMin = 1_000

export function cutLongStrings(draft: RequestDraft): void {
  const { limit = 0 } = draft.rejection
  if (limit >= limitMin) cutLongest(draft, draft.body, limit)
}

function cut(draft: RequestDraft, holder: MutableFields, key: string, text: string, at: string, limit: number): void {
  draft.change('lossy', at, `a text of ${text.length} characters is cut to ${limit}`, () => {
    holder[key] =
      key === 'arguments'
        ? JSON.stringify({ removed: clip(text, Math.max(0, Math.floor(limit / 2) - 32)) }).slice(0, limit)
        : clip(text, limit)
  })
}

function walkStrings(
  value: unknown,
  visit: (holder: MutableFields, key: string, text: string, at: string) => void,
  path: readonly (string | number)[] = [],
): void {
  if (Array.isArray(value) || isRecord(value)) {
    for (const key of Object.keys(value)) {
      const inner = (value as MutableFields)[key]
      const here = [...path, Array.isArray(value) ? Number(key) : key]
      if (typeof inner === 'string') visit(value as MutableFields, key, inner, pathText(here))
      else walkStrings(inner, visit, here)
    }
  }
}
