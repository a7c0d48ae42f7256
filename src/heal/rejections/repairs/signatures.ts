import { isRecord } from '../../../core/conversation.ts'
import { asFields, asList, eachObject, type MutableFields } from '../../../core/request/body-draft.ts'
import { opensTurn, resultIn } from '../../../core/request/parts.ts'
import type { RequestDraft } from '../request-draft.ts'

/** The dummy that Gemini documents for a signature that is lost. */
const dummy = 'skip_thought_signature_validator'

/**
 * Removes the signatures that the provider does not accept (by default all, since most errors do not name one), and adds the
 * dummy to calls of the open turn.
 */
export function dropThoughtSignatures(
  draft: RequestDraft,
  isInvalid: (signature: string) => boolean = () => true,
): void {
  eachObject(draft.history, (fields, path) => {
    for (const key of ['thoughtSignature', 'thought_signature']) {
      const signature = fields[key]
      if (typeof signature !== 'string' || signature === dummy || !isInvalid(signature)) continue
      const at = `${draft.root}[${path[0]}]`
      draft.change(
        'lossy',
        at,
        'a thought signature that the provider does not accept is removed',
        () => delete fields[key],
      )
    }
  })
  draft.history.forEach((message, index) => {
    const fields = asFields(message)
    if (!fields || fields.reasoning_details === undefined) return
    const at = `${draft.root}[${index}].reasoning_details`
    draft.change(
      'lossy',
      at,
      'reasoning that the provider does not accept is removed',
      () => delete fields.reasoning_details,
    )
  })
  if (draft.changed) addDummySignatures(draft)
}

/**
 * Adds the dummy to the first call of every step of the open turn that has no signature. If nothing is missing there, it does
 * the same in all turns.
 */
export function addDummySignatures(draft: RequestDraft): void {
  const from = draft.history.findLastIndex(hasUserText) + 1
  const before = draft.repairs.length
  addDummySignaturesFrom(draft, from)
  if (draft.repairs.length === before) addDummySignaturesFrom(draft, 0)
}

const hasUserText = (message: unknown): boolean => {
  if (!opensTurn(message)) return false
  const { content, parts } = asFields(message) ?? {}
  return (
    typeof content === 'string' ||
    [...asList(content), ...asList(parts)].some(part => isRecord(part) && !resultIn(part as MutableFields))
  )
}

function addDummySignaturesFrom(draft: RequestDraft, from: number): void {
  draft.history.forEach((message, index) => {
    if (index < from) return
    const fields = asFields(message)
    const at = `${draft.root}[${index}]`
    const part = asList(fields?.parts).find(
      part => isRecord(part) && ('functionCall' in part || 'function_call' in part),
    ) as MutableFields | undefined
    if (part) {
      const key = 'function_call' in part ? 'thought_signature' : 'thoughtSignature'
      const signed = part.thoughtSignature ?? part.thought_signature
      if (typeof signed !== 'string' || signed === '')
        draft.change(
          'synthetic',
          at,
          'a call without a thought signature gets the dummy signature that Google documents',
          () => {
            part[key] = dummy
          },
        )
    }
    const sdkCall = asFields(asList(fields?.content).find(part => isRecord(part) && part.type === 'tool-call'))
    if (sdkCall && draft.format === 'ai-sdk') {
      const options = asFields(sdkCall.providerOptions) ?? {}
      const { google } = options
      if (typeof asFields(google)?.thoughtSignature !== 'string')
        draft.change(
          'synthetic',
          at,
          'a call without a thought signature gets the dummy signature that Google documents',
          () => {
            sdkCall.providerOptions = { ...options, google: { ...asFields(google), thoughtSignature: dummy } }
          },
        )
    }
    const call = asFields(asList(fields?.tool_calls)[0])
    if (!call) return
    const extra = asFields(call.extra_content) ?? {}
    const google = asFields(extra.google) ?? {}
    if (typeof google.thought_signature === 'string' && google.thought_signature !== '') return
    draft.change(
      'synthetic',
      at,
      'a call without a thought signature gets the dummy signature that Google documents',
      () => {
        call.extra_content = { ...extra, google: { ...google, thought_signature: dummy } }
      },
    )
  })
}
