import { isRecord } from '../../core/conversation.ts'
import { asFields, asList, type MutableFields } from '../../core/request/body-draft.ts'
import { rewriteParts, roleOf } from '../../core/request/parts.ts'
import type { RequestOptions, RequestResult } from '../request/heal-request.ts'
import type { Rejection } from './rejection.ts'
import { dropParameter } from './repairs/fields.ts'
import { type RejectionRepair, rejectionRepairs } from './repairs/index.ts'
import { shortenToWindow } from './repairs/length.ts'
import { dropAllReasoning } from './repairs/reasoning.ts'
import { RequestDraft } from './request-draft.ts'

/**
 * Repairs the prompt of an AI SDK model call. A rejection is about the request that the SDK made from the prompt, so the paths that it names
 * are not paths of the prompt: the whole prompt is searched for the defect.
 */
export function healRejectedPrompt<Options>(
  options: Options,
  rejection: Rejection,
  choices: RequestOptions,
): RequestResult<Options> {
  const { repair: name = '' } = rejection
  const repair = own[name] ?? (shared.has(name) ? rejectionRepairs[name] : undefined)
  if (!repair) return { body: options, changed: false, repairs: [], remaining: [] }
  const draft = new RequestDraft(options, 'ai-sdk', { ...rejection, paths: [] }, choices)
  repair(draft)
  const { repairs, remaining, changed } = draft
  return { body: changed ? (draft.body as Options) : options, changed, repairs, remaining }
}

/** Repairs that do the same in a prompt as in a request. */
const shared = new Set([
  ...['reasoning-message', 'reasoning-misplaced', 'reasoning-trailing', 'reasoning-open', 'marked'],
  ...[
    'thought-signatures',
    'thought-unsigned',
    'image-side',
    'image-side-many',
    'image-area',
    'image-small',
    'image-least',
  ],
  ...[
    'image-bytes',
    'image-count',
    'media-count',
    'media-pages',
    'image-unreadable',
    'image-type',
    'image-type-gemini',
  ],
  ...['media-type-named', 'media-url', 'media-kind', 'media-all', 'pdf-pages', 'pdf-invalid', 'pdf-password'],
  ...['pdf-unreadable', 'document-count', 'overflow', 'overflow-prompt', 'overflow-learnt', 'overflow-asked'],
  ...['output-budget', 'image-unit', 'image-uri', 'file-gone', 'reasoning-input', 'media-referenced'],
  ...['output-cap', 'output-rest', 'empty-text', 'unicode', 'prefill', 'trailing-space', 'parameter'],
  ...['parameter-value', 'thinking-type', 'thinking-budget'],
])

/** A field of a request: reasoning in messages, or a setting that the options have. */
function dropField(draft: RequestDraft): void {
  const { text } = draft.rejection
  if (/messages|input\[/.test(text)) {
    if (/reason|think/.test(text)) dropAllReasoning(draft)
    return
  }
  const named =
    draft.rejection.parameter ??
    /([\w.]{1,80}): Extra inputs are not permitted|field: ([\w.]{1,80})|property ([\w.]{1,80}) is unsupported/
      .exec(text)
      ?.slice(1)
      .find(name => name !== undefined)
  const parameter = named?.split(/[., ]/).at(-1)
  if (parameter === undefined) return
  const inner = new RequestDraft(draft.body, 'ai-sdk', { ...draft.rejection, parameter })
  if (!draft.allows('lossless')) return
  dropParameter(inner)
  if (!inner.changed) return
  for (const repair of inner.repairs) draft.repairs.push(repair)
  for (const key of Object.keys(draft.body)) delete draft.body[key]
  Object.assign(draft.body, inner.body)
}

/** An item that the provider no longer has: parts with its id lose the id, and reasoning, which needs the id, is removed. */
function dropItem(draft: RequestDraft): void {
  const { item } = draft.rejection
  rewriteParts(draft, (part, { at }) => {
    for (const settings of Object.values(asFields(part.providerOptions) ?? {})) {
      if (!isRecord(settings) || settings.itemId !== item) continue
      if (part.type === 'reasoning')
        return draft.change('lossy', at, 'reasoning that the provider no longer has is removed', () => {})
          ? undefined
          : part
      draft.change('lossless', at, 'an id that the provider does not know is removed', () => {
        delete (settings as MutableFields).itemId
      })
    }
    return part
  })
}

/** Encrypted reasoning, and the ids of the parts that depend on it. */
function dropEncrypted(draft: RequestDraft): void {
  const bound = new Set(draft.history.filter(message => asList(asFields(message)?.content).some(isReasoningPart)))
  dropAllReasoning(draft)
  if (!draft.changed) return
  for (const message of bound)
    for (const part of asList(asFields(message)?.content))
      for (const settings of Object.values(asFields(asFields(part)?.providerOptions) ?? {}))
        if (isRecord(settings)) delete (settings as MutableFields).itemId
}

const isReasoningPart = (part: unknown): boolean => asFields(part)?.type === 'reasoning'

/** A response that the provider no longer has: the reference is removed if the prompt contains the whole conversation. */
function dropResponse(draft: RequestDraft): void {
  const [first] = draft.history.filter(message => roleOf(message) !== 'system')
  if (roleOf(first) !== 'user' || !draft.history.some(message => roleOf(message) === 'assistant')) return
  for (const settings of Object.values(asFields(draft.body.providerOptions) ?? {})) {
    for (const key of ['previousResponseId', 'conversation']) {
      if (!isRecord(settings) || settings[key] === undefined) continue
      draft.change('lossless', key, 'the reference to a response that the provider does not have is removed', () => {
        delete (settings as MutableFields)[key]
      })
    }
  }
}

const own: Readonly<Record<string, RejectionRepair | undefined>> = Object.assign(Object.create(null), {
  'reasoning-block': dropAllReasoning,
  'reasoning-from': dropAllReasoning,
  'reasoning-incomplete': dropAllReasoning,
  'reasoning-all': dropAllReasoning,
  'encrypted-blob': dropEncrypted,
  'encrypted-item': dropEncrypted,
  'encrypted-all': dropEncrypted,
  'item-gone': dropItem,
  'response-gone': dropResponse,
  'overflow-bedrock': shortenToWindow,
  'fields-unsupported': dropField,
  'fields-listed': dropField,
  'fields-extra': dropField,
  'fields-unknown': dropField,
} satisfies Record<string, RejectionRepair>)
