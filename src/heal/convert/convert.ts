import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import type { FormatMessages } from '../../codecs/messages.ts'
import type { Conversation, Message, Part } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import { type Repair, type Repaired, repairWithRules } from '../../core/rules/repair.ts'
import { RuleContext } from '../../core/rules/rule.ts'
import { detectFormat } from '../detect.ts'
import { decodeHistory, isHealthy, repair } from '../heal.ts'
import { type HealOptions, type HealPlan, planFor } from '../options.ts'
import { warnOfLoss } from '../warn.ts'
import type { OmittedField } from './carried-text.ts'
import { IdMap } from './id-map.ts'
import { type Identify, type Loss, translate } from './translate.ts'

export interface ConvertOptions<To extends CodecId = CodecId> extends Omit<HealOptions, 'format'> {
  /** The format of the history. By default it is detected. */
  readonly from?: CodecId
  /** The format to convert to. The provider of that format is assumed, unless `for` names another. */
  readonly to: To
  /** Ids that were made up, each with the id it replaces. Filled and read: the same map restores them on the way back. */
  readonly ids?: Map<string, string>
}

/**
 * Converts a history to another format and heals it for the provider there. Ids get the form that the provider wants,
 * and the same ids are restored through `ids`. What the new format cannot express is omitted or replaced by a stub, and
 * reported to `onRepair`: reasoning, which only its own provider can read; calls that a provider ran itself; images in
 * results that can only be text. The input is not changed.
 */
export function convert<To extends CodecId>(
  history: readonly unknown[],
  options: ConvertOptions<To>,
): FormatMessages[To][] {
  const { from: source, to, ids = new Map<string, string>(), onRepair = warnOfLoss, ...choices } = options
  const isEmpty = Array.isArray(history) && history.length === 0
  const format = source ?? detectFormat(history) ?? (isEmpty ? to : undefined)
  if (!Array.isArray(history) || format === undefined)
    throw new AntiphonError('not-a-history', 'not a history that can be converted', {
      hint: `give a list of messages in one of the formats ${Object.keys(codecs).join(', ')}`,
    })
  const reading = planFor([], { ...choices, format, for: 'lenient' })
  const writing = planFor([], { ...choices, format: to })
  const { written, repairs } =
    format === to ? renameIds(history, ids, writing) : convertWith(history, ids, reading, writing)
  const healed = repair(written, { ...choices, format: to })
  const all = [...repairs, ...healed.repairs]
  if (all.length > 0) onRepair({ changed: true, repairs: all, remaining: healed.remaining })
  return healed.messages as FormatMessages[To][]
}

/**
 * Converts messages to another format without healing them: a piece of a history that is completed elsewhere. `more` is
 * appended, and may contain what the first format cannot express.
 */
export function rewriteMessages(
  messages: readonly unknown[],
  from: CodecId,
  to: CodecId,
  more: readonly Message[] = [],
): readonly unknown[] {
  if (from === to && more.length === 0) return messages
  const reading = planFor([], { format: from, for: 'lenient' })
  const writing = planFor([], { format: to, for: 'lenient' })
  return convertWith(messages, new Map(), reading, writing, more).written
}

interface Converted {
  readonly written: readonly unknown[]
  readonly repairs: readonly Repair[]
}

/**
 * The converted history, repaired before the conversion: the original format shows best which result answers which
 * call.
 */
function convertWith(
  history: readonly unknown[],
  ids: Map<string, string>,
  reading: HealPlan,
  writing: HealPlan,
  more: readonly Message[] = [],
): Converted {
  const decoded = decodeHistory(history, reading)
  const conversation = more.length === 0 ? decoded : { ...decoded, messages: [...decoded.messages, ...more] }
  const decodedContext = new RuleContext(conversation, reading)
  const isWhole = more.length === 0 && isHealthy(history, reading)
  const { messages: whole, repairs } = isWhole
    ? untouched(decodedContext)
    : repairWithRules(decodedContext, reading, () => false)
  const context = repairs.length === 0 ? decodedContext : new RuleContext({ ...conversation, messages: whole }, reading)
  const identify = identitiesFor(context, ids, writing)
  const elevates = reading.choices.allow.has('elevating')
  const { messages, losses, carried } = translate(context, reading.codec, writing.codec, identify, elevates)
  const asides = (conversation.asides ?? []).map(index => aside(index, history[index]))
  const known = [...losses.map(loss => (loss.kind === 'message' ? unread(loss, history) : loss)), ...asides]
  carried.add(repairs)
  for (const { message, part } of known) if (!part) carried.add(message)
  const all = [...known, ...carried.omittedFields(history).map(leftOut)]
  return {
    written: writing.codec.encode(messages, emptyConversation(writing.codec), []),
    repairs: [...repairs, ...all.map(loss => toRepair(loss, context))],
  }
}

/** The text of a message that is neither converted nor in the report yet. */
const leftOut = ({ origin, path, value }: OmittedField): Loss => ({
  ...aside(origin, value),
  kind: /reason|think|thought/i.test(path) ? 'reasoning' : 'content',
  text: path,
  path,
})

const untouched = ({ messages }: RuleContext): Pick<Repaired, 'messages' | 'repairs'> => ({ messages, repairs: [] })

/** The same format for another provider: only ids may have to change. */
function renameIds(history: readonly unknown[], ids: Map<string, string>, plan: HealPlan): Converted {
  const conversation = decodeHistory(history, plan)
  const context = new RuleContext(conversation, plan)
  const identify = identitiesFor(context, ids, plan)
  let isChanged = false
  const messages = conversation.messages.map(message => {
    const parts = message.parts.map(part => {
      if (part.kind !== 'call' && part.kind !== 'result') return part
      const { id } = identify(part)
      return id === part.id ? part : { ...part, id }
    })
    if (parts.every((part, index) => part === message.parts[index])) return message
    isChanged = true
    return { ...message, parts }
  })
  return { written: isChanged ? plan.codec.encode(messages, conversation, history) : history, repairs: [] }
}

/** The new id of each call and result. A result gets the id and the name of the call that it answers. */
function identitiesFor(context: RuleContext, origins: Map<string, string>, { facts, codec }: HealPlan): Identify {
  const { calls, results } = context.pairing
  const map = new IdMap(origins, () => [...calls, ...results].map(({ part }) => part.id), {
    form: facts.ids,
    isUnique: facts.uniqueIds === 'history',
    idless: codec.format.idless === true,
  })
  const identities = new Map<Part, { id: string; name: string }>()
  for (const { part } of calls) {
    const id = part.providerRun ? part.id : map.next(part.id)
    if (id !== part.id) identities.set(part, { id, name: part.name })
  }
  for (const { part, call } of results) {
    if (!call || call.part.providerRun) continue
    const { id, name } = identities.get(call.part) ?? call.part
    if (id !== part.id || !part.name) identities.set(part, { id, name: part.name || name })
  }
  return part => identities.get(part) ?? part
}

/** A message that is not part of the conversation, and has a meaning only in its own format. */
const aside = (origin: number, raw: unknown): Loss => ({
  message: { key: origin, origin, role: 'other', parts: [{ kind: 'other', raw }] },
  kind: 'message',
  text: 'a message that is not part of the conversation',
  class: 'lossy',
})

/** A message that could not be read has no parts: the loss is the whole message. */
const unread = ({ message: { origin }, text }: Loss, history: readonly unknown[]): Loss => ({
  ...aside(origin as number, history[origin as number]),
  text,
})

/** For the encoder every message is made up: the only decoded message has a key that none of them has. */
const emptyConversation = ({ format }: Codec): Conversation => ({ format, messages: [madeUpMessage], continues: false })

const madeUpMessage: Message = { key: -1, role: 'other', parts: [] }

const toRepair = ({ message, part, kind, text, path, class: of }: Loss, { format }: RuleContext): Repair => ({
  rule: `converted-${kind}`,
  severity: 'warning',
  at: format.locate(message, part) + (path === undefined ? '' : `.${path}`),
  message: `${text} cannot be converted`,
  help: of === 'elevating' ? 'it is in a user message (elevating)' : `it is left out (${of})`,
  class: of,
  edits: [{ kind: 'remove', after: -1, message: part ? { ...message, parts: [part] } : message }],
})
