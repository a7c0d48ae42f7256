import { isRecord } from '../conversation.ts'
import { depthMax } from '../json/nesting.ts'
import { asFields, type MutableFields } from './body-draft.ts'
import { type FoundMedium, readMedium } from './media-parts.ts'
import { outputKey, type PartPlace, resultIn, roleOf } from './parts.ts'

/** The parts of a request to which limits apply, found in one pass that changes nothing. */
export interface RequestSurvey {
  /** Images, documents and other media, the oldest first. */
  readonly media: readonly FoundMedium[]
  /** Blocks and messages of the history with a cache mark, the oldest first. */
  readonly marks: readonly FoundPart[]
  /** References to tools. */
  readonly references: readonly FoundPart[]
}

export interface FoundPart extends PartPlace {
  readonly part: MutableFields
  /** The part before it in the same list. */
  readonly before: MutableFields | undefined
}

/** Looks through all parts of all messages, those inside results included. What is nested too deep to be repaired is not looked at. */
export function surveyRequest(history: readonly unknown[], root: string): RequestSurvey {
  const media: FoundMedium[] = []
  const marks: FoundPart[] = []
  const references: FoundPart[] = []
  let depth = 0
  const look = (parts: readonly unknown[], message: number, role: string, inResult: boolean, path: string): void => {
    if (depth > depthMax) return
    depth++
    const found = (part: MutableFields, index: number): FoundPart => ({
      ...{ message, role, inResult, part, at: `${root}[${message}]${path}[${index}]` },
      before: asFields(parts[index - 1]),
    })
    for (let index = 0; index < parts.length; index++) {
      const value = parts[index]
      if (!isRecord(value)) continue
      const part = value as MutableFields
      if (part.cache_control) marks.push(found(part, index))
      const { type } = part
      if (type === 'tool_reference') references.push(found(part, index))
      if (wordTypes.has(type) || (type === undefined && typeof part.text === 'string')) continue
      const holder = resultIn(part)
      if (holder) {
        const key = ['content', 'value', 'parts'].find(key => Array.isArray(holder[key]))
        if (key === undefined) continue
        const name = holder === part ? '' : `.${Object.keys(part).find(name => part[name] === holder)}`
        look(holder[key] as unknown[], message, role, true, `${path}[${index}]${name}.${key}`)
        continue
      }
      const medium = readMedium(part)
      if (medium) {
        const { before: _, ...place } = found(part, index)
        media.push({ ...medium, ...place })
      }
    }
    depth--
  }
  for (let index = 0; index < history.length; index++) {
    const message = history[index]
    if (!isRecord(message)) continue
    const { content, parts } = message
    if (message.cache_control)
      marks.push({
        ...{
          message: index,
          role: roleOf(message),
          inResult: false,
          part: message as MutableFields,
          at: `${root}[${index}]`,
        },
        before: undefined,
      })
    const key = outputKey(message)
    const output = message[key]
    if (Array.isArray(output)) look(output, index, 'tool', true, `.${key}`)
    const list = Array.isArray(content) ? content : parts
    if (!Array.isArray(list)) continue
    const role = roleOf(message)
    look(list, index, role, role === 'tool' || role === 'function', list === content ? '.content' : '.parts')
  }
  return { media, marks, references }
}

/** Parts that hold only words, calls or reasoning. */
const wordTypes: ReadonlySet<unknown> = new Set([
  ...['text', 'input_text', 'output_text', 'tool_use', 'thinking', 'redacted_thinking', 'reasoning', 'refusal'],
])
