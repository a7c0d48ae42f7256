import { type CallPart, isRecord, type ResultPart } from '../../core/conversation.ts'
import { equal } from '../../core/equal.ts'
import { overlay } from '../overlay.ts'
import { isProviderRun } from '../scan.ts'
import { idText, isId, numeric, text } from '../text.ts'

/** A tool part as it stands on the wire: a call, what became of it, and its result. */
export type ToolPart = Readonly<Record<string, unknown>> & { readonly type: string }

/** Older messages have parts with a call of another form in them, under a type that sounds like a tool's. */
export const isToolPart = (raw: unknown): raw is ToolPart =>
  isRecord(raw) &&
  typeof raw.type === 'string' &&
  (raw.type === 'dynamic-tool' || raw.type.startsWith('tool-')) &&
  raw.toolInvocation === undefined

export function readCall(raw: ToolPart, slot: number): CallPart {
  const id = idText(raw.toolCallId)
  const approval = approvalOf(raw)
  const by = raw.providerExecuted === true ? 'provider' : 'client'
  return {
    kind: 'call',
    id,
    ...numeric(raw.toolCallId),
    name: nameOf(raw),
    input: raw.input,
    sort: 'function',
    by,
    ...(approval === undefined ? {} : { approval }),
    ...(by === 'client' && isProviderRun(id) ? { hosted: true as const } : {}),
    raw,
    slot,
  }
}

/** The result that a part holds, whatever its state says. */
export function readResult(raw: ToolPart, slot: number): ResultPart | undefined {
  const answer = answerOf(raw)
  if (!answer) return undefined
  return {
    kind: 'result',
    id: idText(raw.toolCallId),
    ...numeric(raw.toolCallId),
    name: nameOf(raw),
    ...answer,
    sort: 'function',
    by: raw.providerExecuted === true ? 'provider' : 'client',
    raw,
    slot,
  }
}

const settledStates = new Set<unknown>(['output-available', 'output-error', 'output-denied'])

/** Whether the state says that there is a result: without it nobody looks for one. */
export const isSettled = ({ state }: ToolPart): boolean => settledStates.has(state)

export const nameOf = (raw: ToolPart): string =>
  raw.type === 'dynamic-tool' ? text(raw.toolName) : raw.type.slice('tool-'.length)

interface Answer {
  readonly content: unknown
  readonly error?: true
  readonly denied?: true
}

function answerOf({ state, output, errorText, approval }: ToolPart): Answer | undefined {
  if (state === 'output-error') return { content: errorText, error: true }
  if (state === 'output-denied') return { content: reasonOf(approval) ?? deniedText, error: true, denied: true }
  if (state === 'output-available' || !isNothing(output)) return { content: output }
  return text(errorText) === '' ? undefined : { content: errorText, error: true }
}

/** What the model is told of a denied call if the person gave no reason. */
export const deniedText = 'Tool call execution denied.'

export const reasonOf = (approval: unknown): string | undefined =>
  isRecord(approval) && typeof approval.reason === 'string' ? approval.reason : undefined

const isNothing = (value: unknown): boolean => value === undefined || value === null

function approvalOf({ state, approval }: ToolPart): CallPart['approval'] {
  if (!isRecord(approval)) return state === 'approval-requested' ? 'requested' : undefined
  return approval.approved === true ? 'granted' : approval.approved === false ? 'denied' : 'requested'
}

/** The part of a call with its result; `unsettled` leaves what is there of one as it is. */
export function writeCall(part: CallPart, result: ResultPart | undefined, unsettled = false): unknown {
  const { id, name, input, by } = part
  if (!isToolPart(part.raw)) {
    const made = { type: `tool-${name}`, toolCallId: id, ...(by === 'provider' ? { providerExecuted: true } : {}) }
    return result ? settle({ ...made, input }, result) : { ...made, state: 'input-available', input }
  }
  if (by === 'provider') return part.raw
  const { raw } = part
  const called = overlay(
    raw,
    isId(raw.toolCallId, part) ? {} : { toolCallId: id },
    nameOf(raw) === name ? {} : raw.type === 'dynamic-tool' ? { toolName: name } : { type: `tool-${name}` },
    equal(raw.input, input) ? {} : { input },
  )
  if (unsettled) return called
  const before = answerOf(raw)
  if (!result) return before ? reopen(called) : called
  return before && isSettled(raw) && isSame(before, result) ? called : settle(called, result)
}

const isSame = (answer: Answer, { content, error, denied }: ResultPart): boolean =>
  answer.error === error && answer.denied === denied && equal(answer.content, content)

type Fields = Readonly<Record<string, unknown>>

const reopen = (called: Fields): Fields => ({ ...bare(called), state: 'input-available' })

/** An approval stays where the state allows it: one that was never given says nothing beside a result. */
function settle(called: Fields, { content, error, denied }: ResultPart): Fields {
  const { approval, ...rest } = bare(called)
  const part = rest.input === undefined ? { ...rest, input: {} } : rest
  if (denied) {
    const asked = isRecord(approval) ? approval : {}
    const id = text(asked.id) || `approval-${idText(called.toolCallId)}`
    const reason = reasonOf(asked)?.trim() ? asked.reason : wordsOf(content)
    return { ...part, state: 'output-denied', approval: { ...asked, id, approved: false, reason } }
  }
  const granted = isRecord(approval) && approval.approved === true ? { approval } : {}
  if (error) return { ...part, state: 'output-error', errorText: wordsOf(content), ...granted }
  return { ...part, state: 'output-available', output: content, ...granted }
}

/** A part without what it says of its result. */
function bare({ output: _, errorText: __, preliminary: ___, ...called }: Fields): Fields {
  return called
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string' || content === undefined || content === null) return content ?? ''
  try {
    return JSON.stringify(content)
  } catch {
    return ''
  }
}
