import { type JsonObject, objectOf, objects, stringOf } from '../../json.ts'
import { estimateTokens } from '../../judge/estimate.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { geminiParts } from './history.ts'

/** What the schema rejects in a whole request. */
export function requestForms({ messages: contents, body }: RawRequest): RejectionReason[] {
  return body ? [...contents.flatMap((turn, n) => inlineData(turn, n)), ...toolNames(body)] : []
}

const inlineData = (turn: JsonObject, n: number): RejectionReason[] =>
  geminiParts(turn).flatMap((part, k) => {
    const data = stringOf(objectOf(part.inlineData ?? part.inline_data).data)
    if (data === undefined || base64.test(data)) return []
    const at = `contents[${n}].parts[${k}]`
    const head = data.length > 100 ? `${data.slice(0, 100)}...` : data
    const text = `Invalid value at '${at}.inline_data.data' (TYPE_BYTES), Base64 decoding failed for "${head}"`
    return [reject('ge-base64', text, at)]
  })

const base64 = /^[a-zA-Z0-9+/_-]*={0,2}$/

/** All of them at once, one per line. */
function toolNames({ tools }: JsonObject): RejectionReason[] {
  const lines = objects(tools).flatMap((tool, t) =>
    objects(tool.functionDeclarations ?? tool.function_declarations).flatMap(({ name }, k) =>
      typeof name === 'string' && /^[a-zA-Z_][\w.-]{0,63}$/.test(name)
        ? []
        : `* GenerateContentRequest.tools[${t}].function_declarations[${k}].name: ${nameText}\n`,
    ),
  )
  return lines.length === 0 ? [] : [reject('ge-tool-name', lines.join(''), 'tools')]
}

const nameText =
  'Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.'

/** The limits of a request, which are checked last. */
export function requestLimits({ messages, body, model = '' }: RawRequest): RejectionReason[] {
  const used = body ? estimateTokens(messages, body.systemInstruction, body.system_instruction, body.tools) : 0
  if (used <= tokensMax || !/gemini-([2-9]|\d\d)/.test(model)) return []
  const text = `The input token count (${used}) exceeds the maximum number of tokens allowed (${tokensMax}).`
  return [reject('ge-context', text, 'contents')]
}

const tokensMax = 1_048_576
