import { objects } from '../../json.ts'
import { reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'

/** Llama 3's chat templates: tools go into the first message after the system message, and a message has at most one call. */
export const validateLlamaTemplate: Validator = (chat, { body }) => {
  const spoken = chat[0]?.role === 'system' ? chat.slice(1) : chat
  const hasNoPlace = objects(body?.tools).length > 0 && spoken.length === 0
  return [
    ...(hasNoPlace ? [reject('tp-tools-first-user', noPlaceText, 'messages')] : []),
    ...chat
      .filter(({ calls }) => calls.length > 1)
      .map(({ at }) => reject('tp-single-call', 'This model only supports single tool-calls at once!', at)),
  ]
}

const noPlaceText = "Cannot put tools in the first user message when there's no first user message!"
