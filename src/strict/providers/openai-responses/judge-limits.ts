import { objects, stringOf } from '../../json.ts'
import { estimateTokens } from '../../judge/estimate.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { imageFormat, inputMax, longList, longStrings, nameForm } from '../openai/judge-limits.ts'
import { placeOf, startOf } from './judge-input.ts'

/** What the schema rejects in a whole request, before the history is checked. */
export function requestForms(raw: RawRequest): RejectionReason[] {
  const { messages, body } = raw
  if (!body) return []
  const start = startOf(raw)
  const given = messages.slice(start).map((item, index) => ({ item, at: placeOf(start + index, start) }))
  return [
    ...longList('or-tools-count', 'tools', body.tools),
    ...objects(body.tools).flatMap(({ type, name }, k) =>
      type === 'function' ? nameForm('or-tool-name', name, `tools[${k}].name`) : [],
    ),
    ...given.flatMap(({ item, at }) => [
      ...(item.type === 'function_call' ? nameForm('or-tool-name', item.name, `${at}.name`) : []),
      ...longStrings('or-string', item.content, `${at}.content`),
      ...longStrings('or-string', item.output, `${at}.output`),
      ...(item.role === 'assistant' ? objects(item.content).flatMap(({ type }, k) => partType(type, at, k)) : []),
    ]),
  ]
}

function partType(type: unknown, at: string, k: number): RejectionReason[] {
  if (type !== 'input_text') return []
  const text = "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'."
  return [reject('or-part-type', text, at, { param: `${at}.content[${k}]`, code: 'invalid_value' })]
}

/** The limits of a request, which are checked last. */
export function requestLimits({ messages, body, model = '' }: RawRequest): RejectionReason[] {
  if (!body) return []
  const images = messages.flatMap((item, n) =>
    [...objects(item.content), ...objects(item.output)].flatMap(({ type, image_url }) =>
      type === 'input_image' ? imageFormat('or-image-format', stringOf(image_url) ?? '', `input[${n}]`) : [],
    ),
  )
  const max = inputMax(model)
  const isLong = max !== undefined && estimateTokens(messages, body.instructions, body.tools) > max
  const details = { param: 'input', code: 'context_length_exceeded' }
  return [...images, ...(isLong ? [reject('or-context', longText, 'input', details)] : [])]
}

const longText = 'Your input exceeds the context window of this model. Please adjust your input and try again.'
