import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import type { Conversation, Message, Part } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import { repairWithRules as mendWhole, type Repair, type Repaired } from '../../core/rules/repair.ts'
import { RuleContext } from '../../core/rules/rule.ts'
import { detect } from '../detect.ts'
import { isHealthy, read, repair } from '../heal.ts'
import { type HealOptions, type Plan, planFor } from '../options.ts'
import { warnOfLoss } from '../warn.ts'
import type { CarriedWords } from './carried-words.ts'
import { IdMap } from './id-map.ts'
import { type Identify, type Loss, neutral } from './translate.ts'

export interface ConvertOptions extends Omit<HealOptions, 'format'> {
  /** The shape it is written in. By default it is detected. */
  readonly from?: CodecId
  /** The shape it is to be written in. Its own provider reads it, unless `for` names another. */
  readonly to: CodecId
  /** Ids that were made up on the way, each with the one it stands for. Filled and read: the same map brings them back. */
  readonly ids?: Map<string, string>
}

/**
 * The same conversation in another shape, healed for whoever reads it there. Ids take the form that the reader wants, and
 * the same ones come back through `ids`. What has no place in the new shape is left out or stands as a stub, and
 * `onRepair` hears of it: reasoning, which only its own provider can read, calls that a provider ran itself, images in results
 * where those are words. The input is not changed.
 */
export function convert(history: readonly unknown[], options: ConvertOptions): unknown[] {
  const { from: source, to, ids = new Map<string, string>(), onRepair = warnOfLoss, ...choices } = options
  const isEmpty = Array.isArray(history) && history.length === 0
  const format = source ?? detect(history) ?? (isEmpty ? to : undefined)
  if (!Array.isArray(history) || format === undefined)
    throw new AntiphonError('not-a-history', 'there is no history to convert', {
      hint: `a list of messages in one of the shapes ${Object.keys(codecs).join(', ')}`,
    })
  const reading = planFor([], { ...choices, format, for: 'lenient' })
  const writing = planFor([], { ...choices, format: to })
  const { written, repairs } = format === to ? renamed(history, ids, writing) : carried(history, ids, reading, writing)
  const healed = repair(written, { ...choices, format: to })
  const all = [...repairs, ...healed.repairs]
  if (all.length > 0) onRepair({ changed: true, repairs: all, remaining: healed.remaining })
  return healed.messages as unknown[]
}

/**
 * The same messages on another wire, not yet healed for anybody: a piece of a history that becomes whole elsewhere. `more`
 * comes behind them, and may say what the first wire has no words for.
 */
export function rewrite(
  messages: readonly unknown[],
  from: CodecId,
  to: CodecId,
  more: readonly Message[] = [],
): readonly unknown[] {
  if (from === to && more.length === 0) return messages
  const reading = planFor([], { format: from, for: 'lenient' })
  const writing = planFor([], { format: to, for: 'lenient' })
  return carried(messages, new Map(), reading, writing, more).written
}

interface Carried {
  readonly written: readonly unknown[]
  readonly repairs: readonly Repair[]
}

/** The conversation on the other wire, made whole before: which result answers which call shows on its own wire best. */
function carried(
  history: readonly unknown[],
  ids: Map<string, string>,
  reading: Plan,
  writing: Plan,
  more: readonly Message[] = [],
): Carried {
  const decoded = read(history, reading)
  const conversation = more.length === 0 ? decoded : { ...decoded, messages: [...decoded.messages, ...more] }
  const asRead = new RuleContext(conversation, reading)
  const isWhole = more.length === 0 && isHealthy(history, reading)
  const { messages: whole, repairs } = isWhole ? untouched(asRead) : mendWhole(asRead, reading, () => false)
  const scene = repairs.length === 0 ? asRead : new RuleContext({ ...conversation, messages: whole }, reading)
  const identify = identitiesFor(scene, ids, writing)
  const elevates = reading.choices.allow.has('elevating')
  const { messages, losses, carried } = neutral(scene, reading.codec, writing.codec, identify, elevates)
  const asides = (conversation.asides ?? []).map(index => aside(index, history[index]))
  const known = [...losses.map(loss => (loss.kind === 'message' ? unread(loss, history) : loss)), ...asides]
  carried.add([repairs, known.map(({ message, part }) => part ?? message)])
  const all = [...known, ...history.flatMap((raw, index) => leftOut(raw, index, carried))]
  return {
    written: writing.codec.encode(messages, nothingRead(writing.codec), []),
    repairs: [...repairs, ...all.map(loss => told(loss, scene))],
  }
}

/** What a message says that is neither in the new format nor in the report so far. */
const leftOut = (raw: unknown, origin: number, carried: CarriedWords): Loss[] =>
  carried.leftOut(raw).map(({ path, value }) => ({
    ...aside(origin, value),
    kind: /reason|think|thought/i.test(path) ? 'reasoning' : 'content',
    text: path,
    path,
  }))

const untouched = ({ messages }: RuleContext): Pick<Repaired, 'messages' | 'repairs'> => ({ messages, repairs: [] })

/** The same wire for another reader: only ids may have to change. */
function renamed(history: readonly unknown[], ids: Map<string, string>, plan: Plan): Carried {
  const conversation = read(history, plan)
  const scene = new RuleContext(conversation, plan)
  const identify = identitiesFor(scene, ids, plan)
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

/** The new id of each call and result. A result has that of the call it answers, and its name. */
function identitiesFor(scene: RuleContext, origins: Map<string, string>, { facts, codec }: Plan): Identify {
  const { calls, results } = scene.pairing
  const map = new IdMap(origins, () => [...calls, ...results].map(({ part }) => part.id), {
    form: facts.ids,
    isUnique: facts.uniqueIds === 'history',
    idless: codec.wire.idless === true,
  })
  const identities = new Map<Part, { id: string; name: string }>()
  for (const { part } of calls) {
    const id = part.hosted ? part.id : map.next(part.id)
    if (id !== part.id) identities.set(part, { id, name: part.name })
  }
  for (const { part, call } of results) {
    if (!call || call.part.hosted) continue
    const { id, name } = identities.get(call.part) ?? call.part
    if (id !== part.id || !part.name) identities.set(part, { id, name: part.name || name })
  }
  return part => identities.get(part) ?? part
}

/** A message that stands beside the conversation, and means something on its own wire only. */
const aside = (origin: number, raw: unknown): Loss => ({
  message: { key: origin, origin, role: 'other', parts: [{ kind: 'other', raw }] },
  kind: 'message',
  text: 'a message beside the conversation',
  class: 'lossy',
})

/** A message that could not be read has no parts: what it says is the message as it is. */
const unread = ({ message: { origin }, text }: Loss, history: readonly unknown[]): Loss => ({
  ...aside(origin as number, history[origin as number]),
  text,
})

/** Every message is made up, as far as the new wire is concerned: the one that was read has a key that none of them has. */
const nothingRead = ({ wire }: Codec): Conversation => ({ format: wire, messages: [nobody], continues: false })

const nobody: Message = { key: -1, role: 'other', parts: [] }

const told = ({ message, part, kind, text, path, class: of }: Loss, { format: wire }: RuleContext): Repair => ({
  rule: `converted-${kind}`,
  severity: 'warning',
  at: wire.locate(message, part) + (path === undefined ? '' : `.${path}`),
  message: `${text} does not go along`,
  help: of === 'elevating' ? 'it stands in a message of the user (elevating)' : `it is left out (${of})`,
  class: of,
  edits: [{ kind: 'remove', after: -1, message: part ? { ...message, parts: [part] } : message }],
})
