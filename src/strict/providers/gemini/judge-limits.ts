import { type JsonObject, objectOf, objects, stringOf } from '../../json.ts'
import { estimateTokens } from '../../judge/estimate.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import type { Wire } from '../../judge/validator.ts'
import { partsOf } from './history.ts'

/** What the schema refuses in a whole request. */
export function requestForms({ messages: contents, body }: Wire): Objection[] {
  return body ? [...contents.flatMap((turn, n) => inlineData(turn, n)), ...toolNames(body)] : []
}

const inlineData = (turn: JsonObject, n: number): Objection[] =>
  partsOf(turn).flatMap((part, k) => {
    const data = stringOf(objectOf(part.inlineData ?? part.inline_data).data)
    if (data === undefined || base64.test(data)) return []
    const at = `contents[${n}].parts[${k}]`
    const head = data.length > 100 ? `${data.slice(0, 100)}...` : data
    const text = `Invalid value at '${at}.inline_data.data' (TYPE_BYTES), Base64 decoding failed for "${head}"`
    return [refuse('ge-base64', text, at)]
  })

const base64 = /^[a-zA-Z0-9+/_-]*={0,2}$/

/** All of them at once, each in a line. */
function toolNames({ tools }: JsonObject): Objection[] {
  const lines = objects(tools).flatMap((tool, t) =>
    objects(tool.functionDeclarations ?? tool.function_declarations).flatMap(({ name }, k) =>
      typeof name === 'string' && /^[a-zA-Z_][\w.-]{0,63}$/.test(name)
        ? []
        : `* GenerateContentRequest.tools[${t}].function_declarations[${k}].name: ${nameText}\n`,
    ),
  )
  return lines.length === 0 ? [] : [refuse('ge-tool-name', lines.join(''), 'tools')]
}

const nameText =
  'Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.'

/** What a request may have at most, which is looked at last. */
export function requestLimits({ messages, body, model = '' }: Wire): Objection[] {
  const used = body ? estimateTokens(messages, body.systemInstruction, body.system_instruction, body.tools) : 0
  if (used <= tokensMax || !/gemini-([2-9]|\d\d)/.test(model)) return []
  const text = `The input token count (${used}) exceeds the maximum number of tokens allowed (${tokensMax}).`
  return [refuse('ge-context', text, 'contents')]
}

const tokensMax = 1_048_576
