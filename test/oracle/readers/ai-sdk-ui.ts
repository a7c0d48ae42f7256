import { isObject, type JsonObject, objects, stringOf, textOrJson } from '../../../src/strict/json.ts'
import type { HistoryEntry } from '../../../src/strict/judge/entry.ts'

/**
 * A message is one entry, and one of the assistant an entry for each of its steps. The results of a step follow it, one
 * entry each. What the user said between two steps is an entry of the user.
 */
export function readAiSdkUi(history: unknown[]): HistoryEntry[] {
  return history.flatMap((message, index) => (isObject(message) ? readMessage(message, index) : []))
}

function readMessage(raw: JsonObject, index: number): HistoryEntry[] {
  const at = `messages[${index}]`
  const role = stringOf(raw.role) ?? ''
  const blank = (as: string): HistoryEntry => ({ role: as, texts: [], media: false, calls: [], raw, index, at })
  const steps: JsonObject[][] = [[]]
  for (const part of objects(raw.parts)) {
    const isSteering = part.type === 'steering-message'
    if (role === 'assistant' && isNextStep(part, steps.at(-1))) steps.push([])
    if (role !== 'assistant' || (part.type !== 'step-start' && !isSteering)) steps.at(-1)?.push(part)
    else steps.push(...(isSteering ? [[part], []] : [[]]))
  }
  const read = steps.filter((step, place) => step.length > 0 || (place === 0 && steps.length === 1))
  return read.flatMap(step => {
    const [first] = step
    if (role !== 'assistant' || first?.type !== 'steering-message') return readStep(step, blank, role)
    return [{ ...blank('user'), texts: objects(first.parts).flatMap(part => stringOf(part.text) ?? []) }]
  })
}

/** Version 4 has no marks between steps: its calls count them, and what is said after calls is the next one. */
function isNextStep(part: JsonObject, step: readonly JsonObject[] = []): boolean {
  const last = step.findLast(({ type }) => type === 'tool-invocation')?.toolInvocation
  if (!isObject(last)) return false
  if (part.type === 'text' || part.type === 'reasoning') return true
  return isObject(part.toolInvocation) && part.toolInvocation.step !== last.step
}

function readStep(step: JsonObject[], blank: (role: string) => HistoryEntry, role: string): HistoryEntry[] {
  const entry = blank(role)
  const results: HistoryEntry[] = []
  for (const [k, part] of step.entries()) {
    const type = stringOf(part.type) ?? ''
    if (type === 'text') entry.texts.push(stringOf(part.text) ?? '')
    else if (type !== 'dynamic-tool' && !type.startsWith('tool-')) entry.media ||= type !== 'reasoning'
    else if (part.providerExecuted === true) entry.media = true
    else {
      const call = readCall(part)
      const texts = readOutput(call)
      if (call.state === 'input-streaming' && !texts) continue
      const name = stringOf(call.toolName) ?? type.slice(5)
      const args = textOrJson(call.input ?? call.rawInput)
      entry.calls.push({ id: stringOf(call.toolCallId), name, args, at: `${entry.at} part ${k}` })
      if (texts) results.push({ ...blank('tool'), texts, ...answering(call) })
    }
  }
  return [entry, ...results]
}

/** The fields of a call, also where version 4 keeps them. */
function readCall(part: JsonObject): JsonObject {
  const old = part.toolInvocation
  if (!isObject(old)) return part
  const { args, result, ...fields } = old
  return { ...fields, input: args, output: result, ...('result' in old ? { state: 'output-available' } : {}) }
}

function answering(part: JsonObject): { answers?: string } {
  const answers = stringOf(part.toolCallId)
  return answers === undefined ? {} : { answers }
}

function readOutput(part: JsonObject): string[] | undefined {
  if (part.state === 'output-denied') return isObject(part.approval) ? textsOf(part.approval.reason) : []
  if (part.state === 'output-error') return textsOf(part.errorText)
  const isThere = part.output !== undefined && part.output !== null
  return part.state === 'output-available' || isThere ? textsOf(part.output) : undefined
}

/** Every text in a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isObject(value) ? Object.values(value).flatMap(textsOf) : []
}
