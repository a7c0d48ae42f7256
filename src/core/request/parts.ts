import { type Fields, isRecord } from '../conversation.ts'
import { asFields, asList, type BodyDraft, type MutableFields } from './body-draft.ts'

/** Where a part of a message is. */
export interface PartPlace {
  /** The index of its message in the history. */
  readonly message: number
  readonly role: string
  /** It is inside the result of a tool. */
  readonly inResult: boolean
  /** As the caller would write it. */
  readonly at: string
}

type Rewrite = (part: MutableFields, place: PartPlace) => unknown

/**
 * Rewrites all parts of all messages, those inside results included: what `rewrite` returns takes the place of the part, several if it
 * is a list, and none if it is undefined. A message that is left empty is removed, a result or a last message gets a text instead.
 */
export function rewriteParts(draft: BodyDraft, rewrite: Rewrite): void {
  const emptied = new Set<unknown>()
  draft.history.forEach((message, index) => {
    if (!isRecord(message)) return
    const fields = message as MutableFields
    const role = roleOf(fields)
    const at = `${draft.root}[${index}]`
    const isResult = role === 'tool' || role === 'function'
    for (const key of ['content', 'parts']) {
      const parts = fields[key]
      if (!Array.isArray(parts) || parts.length === 0) continue
      const place: Omit<PartPlace, 'at'> = { message: index, role, inResult: isResult }
      fields[key] = rewriteList(draft, parts, place, `${at}.${key}`, rewrite)
      if (asList(fields[key]).length > 0) continue
      if (isResult) fields[key] = cleared
      else if (asList(fields.tool_calls).length > 0) fields[key] = null
      else emptied.add(message)
    }
    const key = outputKey(fields)
    const parts = fields[key]
    if (!Array.isArray(parts) || parts.length === 0) return
    const place: Omit<PartPlace, 'at'> = { message: index, role: 'tool', inResult: true }
    const output = rewriteList(draft, parts, place, `${at}.${key}`, rewrite)
    fields[key] = output.length === 0 ? cleared : output
  })
  if (emptied.size > 0) removeMessages(draft, emptied)
}

/** The field with the content of a result that is an item of its own. */
export const outputKey = ({ type }: Fields): 'output' | 'result' => (type === 'function_result' ? 'result' : 'output')

/** What takes the place of all content of a result. */
export const cleared = '[content removed]'

function rewriteList(
  draft: BodyDraft,
  parts: readonly unknown[],
  place: Omit<PartPlace, 'at'>,
  at: string,
  rewrite: Rewrite,
): unknown[] {
  const after: unknown[] = []
  parts.forEach((part, index) => {
    if (!isRecord(part)) {
      after.push(part)
      return
    }
    const here = `${at}[${index}]`
    const fields = part as MutableFields
    rewriteInner(draft, fields, place, here, rewrite)
    const done = rewrite(fields, { ...place, at: here })
    if (Array.isArray(done)) for (const one of done) after.push(one)
    else if (done !== undefined) after.push(done)
  })
  return after
}

/** The parts of a result that is itself a part. */
function rewriteInner(
  draft: BodyDraft,
  part: MutableFields,
  place: Omit<PartPlace, 'at'>,
  at: string,
  rewrite: Rewrite,
): void {
  const holder = resultIn(part)
  const key = ['content', 'value'].find(key => Array.isArray(holder?.[key])) ?? 'parts'
  const inner = holder?.[key]
  if (!holder || !Array.isArray(inner) || inner.length === 0) return
  const path =
    holder === part ? '' : 'toolResult' in part ? '.toolResult' : key === 'value' ? '.output' : '.functionResponse'
  const after = rewriteList(draft, inner, { ...place, inResult: true }, `${at}${path}.${key}`, rewrite)
  if (after.length > 0) holder[key] = after
  else if (key === 'parts') delete holder[key]
  else if (key === 'value') holder[key] = [textPart(draft, cleared, 'tool', true)]
  else holder[key] = 'toolResult' in part ? [{ text: cleared }] : cleared
}

/** The object that holds the content of a result, if a part is one. */
export function resultIn(part: MutableFields): MutableFields | undefined {
  if (part.type === 'tool_result') return part
  if (part.type === 'tool-result') return asFields(part.output)
  return asFields(part.toolResult) ?? asFields(part.functionResponse) ?? asFields(part.function_response)
}

/** Removes messages; a last one gets a text instead, since the history must end where it did. */
export function removeMessages(draft: BodyDraft, gone: ReadonlySet<unknown>): void {
  const last = draft.history.at(-1)
  if (gone.has(last) && isRecord(last) && roleOf(last) !== 'assistant') {
    const fields = last as MutableFields
    fields['parts' in fields ? 'parts' : 'content'] = [textPart(draft, cleared, 'user', false)]
  }
  draft.history = draft.history.filter(
    message => !gone.has(message) || (message === last && roleOf(last) !== 'assistant'),
  )
}

/** `user`, `assistant`, `system`, `tool` or another; items without a role have that of their type. */
export function roleOf(message: unknown): string {
  const { role, type } = asFields(message) ?? {}
  if (role === 'model') return 'assistant'
  if (typeof role === 'string') return role
  if (typeof type !== 'string') return 'user'
  const known = rolesOfSteps.get(type)
  if (known !== undefined) return known
  if (/_output$|_response$/.test(type)) return 'tool'
  return type === 'message' ? 'user' : 'assistant'
}

/** Steps of Gemini's Interactions API. */
const rolesOfSteps: ReadonlyMap<string, string> = new Map([
  ['user_input', 'user'],
  ['model_output', 'assistant'],
  ['function_result', 'tool'],
])

/** Text as a part of the format. */
export function textPart(draft: BodyDraft, text: string, role: string, inResult: boolean): MutableFields {
  if (draft.format === 'gemini' || draft.format === 'bedrock') return { text }
  if (draft.format !== 'openai-responses') return { type: 'text', text }
  return { type: role === 'assistant' && !inResult ? 'output_text' : 'input_text', text }
}

const opening: ReadonlySet<unknown> = new Set(['message', 'user_input'])

/** Whether a message opens a turn: a user says something in it, and it does not only hold results. */
export function opensTurn(message: unknown): boolean {
  const fields = asFields(message)
  if (!fields || roleOf(fields) !== 'user') return false
  if (fields.type !== undefined && !opening.has(fields.type) && fields.role === undefined) return false
  const parts = fields.content ?? fields.parts
  return !Array.isArray(parts) || parts.some(part => !isRecord(part) || !resultIn(part as MutableFields))
}

/** Where the last turn begins: at the user message that opened it. */
export const lastTurnOf = (draft: BodyDraft): number => Math.max(0, draft.history.findLastIndex(opensTurn))
