import { isObject, type JsonObject, objects } from '../../json.ts'
import { dotted } from '../../judge/dotted.ts'
import { inferred } from '../../judge/inferred.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'
import type { Wire } from '../../judge/validator.ts'

/** What only Converse's own wire can get wrong in a message, whichever model is asked: its blocks and what is in them. */
export const converseForms = (wire: Wire): Objection[] =>
  wire.messages.flatMap((message, index) => [
    ...emptiness(message, index, wire),
    ...objects(message.content).flatMap((block, k) => blockForms(block, `messages[${index}].content[${k}]`, wire)),
  ])

/** Whether cache points alone are enough is not known. */
function emptiness({ content }: JsonObject, index: number, wire: Wire): Objection[] {
  const message = `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`
  const at = `messages[${index}]`
  if (!Array.isArray(content) || content.length === 0) return [refuse('br-empty-content', message, at)]
  const hasMore = content.some(block => !isObject(block) || block.cachePoint === undefined)
  return hasMore ? [] : inferred(wire, [refusePedantically('br-empty-content', message, at)])
}

function blockForms({ text, toolUse, toolResult }: JsonObject, at: string, wire: Wire): Objection[] {
  if (isObject(toolUse)) return toolUse.type === undefined ? inputForm(toolUse, at) : []
  if (isObject(toolResult)) return toolResult.type === undefined ? resultForms(toolResult, at, wire) : []
  if (text !== '') return []
  const message = `The text field in the ContentBlock object at ${dotted(at)} is blank. Add text to the text field, and try again.`
  return [refuse('br-blank-text', message, at)]
}

const inputForm = ({ input }: JsonObject, at: string): Objection[] =>
  isObject(input) ? [] : [refuse('br-json', jsonText(`${dotted(at)}.toolUse.input`), at)]

function resultForms({ content, status }: JsonObject, at: string, wire: Wire): Objection[] {
  const path = `${dotted(at)}.toolResult`
  if (status === 'error' && (!Array.isArray(content) || content.length === 0)) {
    const message = `The content field at ${path} cannot be empty when status value is error.`
    return [refuse('br-error-empty', message, at)]
  }
  if (!Array.isArray(content)) return inferred(wire, [refuse('br-json', jsonText(`${path}.content`), at)])
  return objects(content).flatMap((block, k) =>
    'json' in block && !isObject(block.json) ? [refuse('br-json', jsonText(`${path}.content.${k}.json`), at)] : [],
  )
}

const jsonText = (path: string): string =>
  `The format of the value at ${path} is invalid. Provide a json object for the field and try again.`
