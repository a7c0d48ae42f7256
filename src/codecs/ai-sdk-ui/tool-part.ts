import { asRecord, type CallPart, type Fields, isRecord, type ResultPart } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import { equal } from '../../core/json/equal.ts'
import { hostOf } from '../shared/ai-sdk-packages.ts'
import { overlay } from '../shared/overlay.ts'
import { isProviderRun } from '../shared/scan.ts'
import { idText, isId, numeric, text } from '../shared/text.ts'
import { fromInvocation, isInvocation, toInvocation } from './invocation.ts'

/** A tool part as the format has it: a call, its state and its result. */
export type ToolPart = Fields & { readonly type: string }

export const isToolPart = (raw: unknown): raw is ToolPart =>
  isRecord(raw) &&
  typeof raw.type === 'string' &&
  (raw.type === 'dynamic-tool' || raw.type.startsWith('tool-')) &&
  (raw.toolInvocation === undefined || isInvocation(raw))

/** A part in the form of the current version. */
const inCurrentForm = (raw: ToolPart): ToolPart => (isInvocation(raw) ? fromInvocation(raw) : raw)

/** Whether the arguments of a call were still coming: the SDK leaves such a part out of what it sends. */
export const isStreaming = (raw: ToolPart): boolean => raw.state === 'input-streaming' && answerOf(raw) === undefined

export function readCall(raw: ToolPart, slot: number): CallPart {
  const part = inCurrentForm(raw)
  const id = idText(part.toolCallId)
  const approval = approvalOf(part)
  const by = part.providerExecuted === true ? 'provider' : 'client'
  return {
    kind: 'call',
    id,
    ...numeric(part.toolCallId),
    name: nameOf(part),
    input: inputOf(part),
    callKind: 'function',
    by,
    ...(approval === undefined ? {} : { approval }),
    ...(by === 'provider' ? { ...hostIn(part), itemId: id } : isProviderRun(id) ? { providerRun: true as const } : {}),
    raw,
    slot,
  }
}

/** The result in a part, whatever its state. */
export function readResult(raw: ToolPart, slot: number): ResultPart | undefined {
  const part = inCurrentForm(raw)
  const answer = answerOf(part)
  if (!answer) return undefined
  const id = idText(part.toolCallId)
  return {
    kind: 'result',
    id,
    ...numeric(part.toolCallId),
    name: nameOf(part),
    ...answer,
    callKind: 'function',
    ...(part.providerExecuted === true ? { by: 'provider', ...hostIn(part), itemId: id } : { by: 'client' }),
    raw,
    slot,
  }
}

/** Which provider ran the call of a part. */
function hostIn(part: ToolPart): { host?: string } {
  const { toolCallId, callProviderMetadata, resultProviderMetadata, approval } = part
  const options = { ...asRecord(callProviderMetadata), ...asRecord(resultProviderMetadata) }
  const host = hostOf(idText(toolCallId), nameOf(part), options, text(asRecord(approval).id))
  return host === undefined ? {} : { host }
}

/** Whether the provider's own call of a part can be sent back to one of `hosts`. */
export const isOwn = (part: ToolPart, hosts: Facts['hosts']): boolean =>
  hosts === undefined || hosts.includes(hostIn(part).host ?? '')

const settledStates = new Set<unknown>(['output-available', 'output-error', 'output-denied'])

/** Whether the state shows that there is a result: otherwise the SDK does not read one. */
export const isSettled = (raw: ToolPart): boolean => settledStates.has(inCurrentForm(raw).state)

export const idOf = (raw: ToolPart): unknown => inCurrentForm(raw).toolCallId

export const nameOf = (part: ToolPart): string =>
  part.type === 'dynamic-tool' ? text(part.toolName) : part.type.slice('tool-'.length)

/**
 * Arguments that could not be parsed are in a separate field, and are sent for a failed call. An open call with such
 * arguments can only fail.
 */
export const inputOf = ({ state, input, rawInput }: ToolPart): unknown =>
  state === 'output-available' || state === 'output-denied' ? input : (input ?? rawInput)

interface Answer {
  readonly content: unknown
  readonly copy?: unknown
  readonly error?: true
  readonly denied?: true
}

function answerOf({ state, output, errorText, approval }: ToolPart): Answer | undefined {
  if (state === 'output-error' && text(errorText) === '' && !isNothing(output))
    return { content: undefined, copy: output, error: true }
  if (state === 'output-error') return { content: errorText, error: true }
  if (state === 'output-denied') return { content: reasonOf(approval) ?? deniedText, error: true, denied: true }
  if (state === 'output-available' || !isNothing(output)) return { content: output }
  return text(errorText) === '' ? undefined : { content: errorText, error: true }
}

/** What the model is told about a denied call if the person gave no reason. */
export const deniedText = 'Tool call execution denied.'

export const reasonOf = (approval: unknown): string | undefined =>
  isRecord(approval) && typeof approval.reason === 'string' ? approval.reason : undefined

const isNothing = (value: unknown): boolean => value === undefined || value === null

function approvalOf({ state, approval }: ToolPart): CallPart['approval'] {
  if (!isRecord(approval)) return state === 'approval-requested' ? 'requested' : undefined
  return approval.approved === true ? 'granted' : approval.approved === false ? 'denied' : 'requested'
}

/** The part of a call with its result; `unsettled` leaves an existing result as it is. */
export function writeCall(part: CallPart, result: ResultPart | undefined, unsettled = false): unknown {
  const { id, name, input, by, raw } = part
  if (!isToolPart(raw)) {
    const made = { type: `tool-${name}`, toolCallId: id, ...(by === 'provider' ? { providerExecuted: true } : {}) }
    return result ? settle({ ...made, input }, result) : { ...made, state: 'input-available', input }
  }
  if (by === 'provider') return raw
  const before = inCurrentForm(raw)
  const written = writeOver(before, part, result, unsettled)
  if (written === before) return raw
  return isInvocation(raw) ? toInvocation(raw, written) : written
}

function writeOver(before: ToolPart, part: CallPart, result: ResultPart | undefined, unsettled: boolean): Fields {
  const { id, name, input } = part
  const called = overlay(
    before,
    isId(before.toolCallId, part) ? {} : { toolCallId: id },
    nameOf(before) === name ? {} : before.type === 'dynamic-tool' ? { toolName: name } : { type: `tool-${name}` },
    equal(inputOf(before), input) ? {} : { input },
  )
  if (unsettled) return called
  const answer = answerOf(before)
  if (!result) return answer ? reopen(called) : called
  return answer && isSettled(before) && isSame(answer, result) ? called : settle(called, result)
}

const isSame = (answer: Answer, { content, error, denied }: ResultPart): boolean =>
  answer.error === error && answer.denied === denied && equal(answer.content, content)

const reopen = (called: Fields): Fields => ({ ...bare(called), state: 'input-available' })

/** An approval stays where the state allows it: one that was never given means nothing once there is a result. */
function settle(called: Fields, { content, error, denied }: ResultPart): Fields {
  const { approval, ...rest } = bare(called)
  const isGiven = rest.input !== undefined || (error && !denied && !isNothing(rest.rawInput))
  const part = isGiven ? rest : { ...rest, input: rest.rawInput ?? {} }
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

/** A part without the fields of its result. */
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
