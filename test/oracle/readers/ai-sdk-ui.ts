import type { Entry } from '../entry.ts'
import { isObject, type JsonObject, jsonText, objects, stringOf } from '../json.ts'

/**
 * A message is one entry, and one of the assistant an entry for each of its steps. The results of a step follow it, one
 * entry each.
 */
export function readAiSdkUi(history: unknown[]): Entry[] {
  return history.flatMap((message, index) => (isObject(message) ? readMessage(message, index) : []))
}

function readMessage(wire: JsonObject, index: number): Entry[] {
  const at = `messages[${index}]`
  const role = stringOf(wire.role) ?? ''
  const blank = (as: string): Entry => ({ role: as, texts: [], media: false, calls: [], wire, index, at })
  const steps: JsonObject[][] = [[]]
  for (const part of objects(wire.parts)) {
    if (role === 'assistant' && (part.type === 'step-start' || part.type === 'steering-message')) steps.push([])
    if (part.type !== 'step-start') steps.at(-1)?.push(part)
  }
  const read = steps.filter((step, place) => step.length > 0 || place === 0)
  return read.flatMap(step => readStep(step, blank, role))
}

function readStep(step: JsonObject[], blank: (role: string) => Entry, role: string): Entry[] {
  const entry = blank(role)
  const asides: Entry[] = []
  const results: Entry[] = []
  for (const [k, part] of step.entries()) {
    const type = stringOf(part.type) ?? ''
    if (type === 'text') entry.texts.push(stringOf(part.text) ?? '')
    else if (type === 'steering-message') asides.push({ ...blank('user'), texts: textsOf(part.parts) })
    else if (type !== 'dynamic-tool' && !type.startsWith('tool-')) entry.media ||= type !== 'reasoning'
    else if (part.providerExecuted === true) entry.media = true
    else {
      const name = type === 'dynamic-tool' ? (stringOf(part.toolName) ?? '') : type.slice(5)
      entry.calls.push({ id: stringOf(part.toolCallId), name, args: jsonText(part.input), at: `${entry.at} part ${k}` })
      const texts = readOutput(part)
      if (texts) results.push({ ...blank('tool'), texts, ...answering(part) })
    }
  }
  return [...asides, entry, ...results]
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
