import { isObject, type JsonObject, objects } from '../../json.ts'
import { dotted } from '../../judge/dotted.ts'
import { inferred } from '../../judge/inferred.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'

/** Errors that only Converse's own format can have in a message, with any model: its blocks and their content. */
export const converseForms = (raw: RawRequest): RejectionReason[] =>
  raw.messages.flatMap((message, index) => [
    ...emptiness(message, index, raw),
    ...objects(message.content).flatMap((block, k) => blockForms(block, `messages[${index}].content[${k}]`, raw)),
  ])

/** Whether cache points alone are enough is not known. */
function emptiness({ content }: JsonObject, index: number, raw: RawRequest): RejectionReason[] {
  const message = `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`
  const at = `messages[${index}]`
  if (!Array.isArray(content) || content.length === 0) return [reject('br-empty-content', message, at)]
  const hasMore = content.some(block => !isObject(block) || block.cachePoint === undefined)
  return hasMore ? [] : inferred(raw, [rejectPedantically('br-empty-content', message, at)])
}

function blockForms({ text, toolUse, toolResult }: JsonObject, at: string, raw: RawRequest): RejectionReason[] {
  if (isObject(toolUse)) return toolUse.type === undefined ? inputForm(toolUse, at) : []
  if (isObject(toolResult)) return toolResult.type === undefined ? resultForms(toolResult, at, raw) : []
  if (text !== '') return []
  const message = `The text field in the ContentBlock object at ${dotted(at)} is blank. Add text to the text field, and try again.`
  return [reject('br-blank-text', message, at)]
}

const inputForm = ({ input }: JsonObject, at: string): RejectionReason[] =>
  isObject(input) ? [] : [reject('br-json', jsonText(`${dotted(at)}.toolUse.input`), at)]

function resultForms({ content, status }: JsonObject, at: string, raw: RawRequest): RejectionReason[] {
  const path = `${dotted(at)}.toolResult`
  if (status === 'error' && (!Array.isArray(content) || content.length === 0)) {
    const message = `The content field at ${path} cannot be empty when status value is error.`
    return [reject('br-error-empty', message, at)]
  }
  if (!Array.isArray(content)) return inferred(raw, [reject('br-json', jsonText(`${path}.content`), at)])
  return objects(content).flatMap((block, k) =>
    'json' in block && !isObject(block.json) ? [reject('br-json', jsonText(`${path}.content.${k}.json`), at)] : [],
  )
}

const jsonText = (path: string): string =>
  `The format of the value at ${path} is invalid. Provide a json object for the field and try again.`
