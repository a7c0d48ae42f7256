import { isRecord } from '../../../core/conversation.ts'
import { asFields, asList, eachObject, type MutableFields, scalarText } from '../../../core/request/body-draft.ts'
import { describeMedium, readMedium } from '../../../core/request/media-parts.ts'
import { removeMessages, rewriteParts, roleOf, textPart } from '../../../core/request/parts.ts'
import { moveImages } from '../../../core/rules/media/misplaced-image.ts'
import { elementAt } from '../paths.ts'
import type { RequestDraft } from '../request-draft.ts'
import { isReasoning } from './reasoning.ts'

const isBlank = (text: unknown): boolean => typeof text === 'string' && text.trim() === ''

const isBlankBlock = (block: unknown): boolean => isRecord(block) && 'text' in block && isBlank(block.text)

/** Removes blank text blocks, and messages that have nothing else. A cache mark moves to the part before it. */
export function dropEmptyText(draft: RequestDraft): void {
  let before: MutableFields | undefined
  let list = -1
  rewriteParts(draft, (part, { at, message, inResult }) => {
    const isText =
      'text' in part && (part.type === undefined || /text$/.test(scalarText(part.type))) && !readMedium(part)
    if (!isText || !isBlank(part.text) || part.thought === true) {
      before = inResult ? undefined : part
      list = message
      return part
    }
    const mark = part.cache_control
    const isDropped = draft.change('lossless', at, 'an empty text block is removed', () => {
      if (
        mark !== undefined &&
        before &&
        list === message &&
        before.cache_control === undefined &&
        !isReasoning(before)
      )
        before.cache_control = mark
    })
    return isDropped ? undefined : part
  })
  const { system } = draft.body
  if (Array.isArray(system) && system.some(isBlankBlock))
    draft.change('lossless', 'system', 'an empty text block is removed', () => {
      draft.body.system = system.filter(block => !isBlankBlock(block))
    })
  const gone = new Set<unknown>()
  draft.history.forEach((message, index) => {
    const fields = asFields(message)
    if (!fields || !isBlank(fields.content) || asList(fields.tool_calls).length > 0) return
    const at = `${draft.root}[${index}].content`
    if (roleOf(fields) === 'tool')
      draft.change('synthetic', at, 'an empty result gets a text', () => {
        fields.content = '[no output]'
      })
    else if (draft.change('lossless', at, 'an empty message is removed', () => {})) gone.add(message)
  })
  if (gone.size > 0) removeMessages(draft, gone)
}

/** A role that the provider does not accept becomes its equivalent. */
export function renameRole(draft: RequestDraft): void {
  const { role = 'developer', values = [] } = draft.rejection
  const model = scalarText(draft.body.model ?? '')
  const other = role === 'system' ? 'developer' : 'system'
  const takesOther = values.length > 0 ? values.includes(other) : !/o1-(mini|preview)/.test(model)
  if (role !== 'system' && role !== 'developer') return
  setRole(draft, role, takesOther ? other : 'user')
}

export const developerToSystem = (draft: RequestDraft): void => setRole(draft, 'developer', 'system')

function setRole(draft: RequestDraft, role: string, after: string): void {
  draft.history.forEach((message, index) => {
    const fields = asFields(message)
    if (fields?.role === role)
      draft.change(
        'lossless',
        `${draft.root}[${index}].role`,
        `the role ${role}, which the model does not accept, becomes ${after}`,
        () => {
          fields.role = after
        },
      )
  })
}

/** System messages among the others go to the field for them. */
export function liftSystem(draft: RequestDraft): void {
  const systems = draft.history.filter(message => roleOf(message) === 'system')
  if (systems.length === 0 || draft.format !== 'anthropic') return
  draft.change('lossless', 'system', 'system messages move to the system prompt', () => {
    const blocks = (content: unknown): unknown[] =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)
    draft.body.system = [
      ...blocks(draft.body.system),
      ...systems.flatMap(message => blocks(asFields(message)?.content)),
    ]
    draft.history = draft.history.filter(message => roleOf(message) !== 'system')
  })
}

/**
 * Of several system messages a provider takes the first only: those after it are joined to it. A format that has a field for the system
 * prompt has them there.
 */
export function joinSystem(draft: RequestDraft): void {
  if (draft.format === 'anthropic') liftSystem(draft)
  const systems = draft.history.filter(message => roleOf(message) === 'system').map(message => asFields(message))
  const [first, ...later] = systems
  if (draft.format !== 'openai-chat' || !first || (later.length === 0 && asFields(draft.history[0]) === first)) return
  draft.change('lossless', draft.root, 'system messages become one, at the beginning', () => {
    const texts = systems.flatMap(message =>
      typeof message?.content === 'string'
        ? [message.content]
        : asList(message?.content).map(part => scalarText(asFields(part)?.text)),
    )
    const rest = draft.history.filter(message => roleOf(message) !== 'system')
    draft.history = [{ ...first, content: texts.join('\n\n') }, ...rest]
  })
}

/** An image whose URL is where an object with it is expected. */
export function wrapImageUrls(draft: RequestDraft): void {
  rewriteParts(draft, (part, { at }) => {
    const { image_url: url } = part
    if (part.type === 'image_url' && typeof url === 'string')
      draft.change('lossless', at, 'the URL of an image is put into an object', () => {
        part.image_url = { url }
      })
    return part
  })
}

/** A history that must end with a user message gets one. */
export function endWithUser(draft: RequestDraft): void {
  if (roleOf(draft.history.at(-1)) !== 'assistant') return
  draft.change(
    'synthetic',
    draft.root,
    'a user message that asks to go on is added, since the model takes no prefill',
    () => {
      const text = textPart(draft, 'Continue.', 'user', false)
      const isPlain = draft.format === 'openai-chat' || draft.format === 'anthropic'
      draft.history.push(
        draft.format === 'gemini'
          ? { role: 'user', parts: [text] }
          : { role: 'user', content: isPlain ? 'Continue.' : [text] },
      )
    },
  )
}

/** White space at the end of a final assistant message. */
export function trimEnd(draft: RequestDraft): void {
  const last = asFields(draft.history.at(-1))
  if (!last || roleOf(last) !== 'assistant') return
  const part = asFields(asList(last.content).at(-1))
  const [holder, key] = typeof last.content === 'string' ? [last, 'content'] : [part, 'text']
  const text = holder?.[key]
  if (!holder || typeof text !== 'string' || text === text.trimEnd()) return
  draft.change(
    'lossless',
    `${draft.root}[${draft.history.length - 1}]`,
    'white space at the end of the last message is removed',
    () => {
      holder[key] = text.trimEnd()
    },
  )
}

/** Content that is null becomes an empty text. */
export function fillContent(draft: RequestDraft): void {
  draft.history.forEach((message, index) => {
    const fields = asFields(message)
    if (!fields || (fields.content !== null && fields.content !== undefined)) return
    draft.change('lossless', `${draft.root}[${index}].content`, 'content that is null becomes an empty text', () => {
      fields.content = ''
    })
  })
}

/** All content as one string, media as texts; or that of tools only. */
export const flattenContent =
  (only?: 'tool') =>
  (draft: RequestDraft): void => {
    // Converse and Gemini have no content that is a string.
    if (draft.format === 'bedrock' || draft.format === 'gemini') return
    draft.history.forEach((message, index) => {
      const fields = asFields(message)
      if (!fields || !Array.isArray(fields.content) || (only !== undefined && roleOf(fields) !== only)) return
      const parts = fields.content.map(part => asFields(part) ?? {})
      // A call or a result as text would look like text of the user or the assistant.
      if (roleOf(fields) !== 'tool' && parts.some(isToolPart)) return
      const hasMedia = parts.some(part => readMedium(part) !== undefined)
      draft.change(
        hasMedia ? 'lossy' : 'lossless',
        `${draft.root}[${index}].content`,
        'content in parts becomes one text',
        () => {
          fields.content = parts
            .map(textOfPart)
            .filter(text => text !== '')
            .join('\n')
        },
      )
    })
  }

/** Content that must be a string: only the content of results if the text names a result, since user messages may still have media; otherwise all content. */
export function flattenNamed(draft: RequestDraft): void {
  const isResult = draft.rejection.paths.some(
    ([root, index]) => root === draft.root && typeof index === 'number' && roleOf(draft.history[index]) === 'tool',
  )
  flattenContent(isResult ? 'tool' : undefined)(draft)
}

function textOfPart(part: MutableFields): string {
  const medium = readMedium(part)
  if (medium) return describeMedium(medium)
  if (typeof part.text === 'string') return part.text
  return isReasoning(part) ? '' : JSON.stringify(part)
}

/** Whether a part is a call or a result, of whichever format, also of a tool that the provider ran. */
export const isToolPart = (part: MutableFields): boolean =>
  toolTypes.test(scalarText(part.type)) || toolKeys.some(key => part[key] !== undefined)

const toolTypes = /tool(?!_reference$)|_call|_output$|^search_result$/
const toolKeys = ['toolUse', 'toolResult', 'functionCall', 'functionResponse', 'function_call', 'function_response']

/** Images in messages that may not have them, as the text says, move to a user message after the results. */
export const moveRejectedImages = (draft: RequestDraft): void =>
  moveImages(draft, ({ role, inResult }) => role !== 'user' && (!inResult || draft.format === 'openai-chat'))

/** Parts of the type that the text names become texts; if it names no type, the parts at the place that it names. */
export function partsToText(draft: RequestDraft): void {
  const { type, paths } = draft.rejection
  const named = paths.map(path => elementAt(draft.body, path)).find(part => part !== undefined && part.type !== 'text')
  const wanted = type ?? named?.type
  if (wanted === undefined) return
  rewriteParts(draft, (part, { role, inResult, at }) => {
    if (part.type !== wanted || part.type === 'tool_use' || part.type === 'tool_result') return part
    const isDone = draft.change('lossy', at, `a part of the type ${wanted} becomes a text`, () => {})
    // Outside of a result its text would look like text of the user or the assistant.
    const text = isToolPart(part) && !inResult ? `[${wanted} removed]` : textOfForeign(part)
    return isDone ? textPart(draft, text, role, inResult) : part
  })
}

export function textOfForeign(part: MutableFields): string {
  if (part.type === 'tool_reference') return `[tool found: ${scalarText(part.tool_name)}]`
  return textOfPart(part)
}

/** Whether any object of the history has a type. */
export function hasType(draft: RequestDraft, type: string): boolean {
  let found = false
  eachObject(draft.history, fields => {
    if (fields.type === type) found = true
  })
  return found
}

/** Names of messages with characters that the provider does not accept in one. */
export function plainMessageNames(draft: RequestDraft): void {
  draft.history.forEach((message, index) => {
    const fields = asFields(message)
    const { name, role } = fields ?? {}
    if (!fields || typeof name !== 'string' || role === 'tool' || role === 'function') return
    const plain = name.replaceAll(/[^\w-]/g, '_').slice(0, 64)
    if (plain === name) return
    draft.change('lossless', `${draft.root}[${index}].name`, `the name ${name.slice(0, 80)} becomes ${plain}`, () => {
      fields.name = plain
    })
  })
}
