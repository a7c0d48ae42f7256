import { reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'

/** xAI: every message has a content element, and empty text is one. Its pairing rules are not known. */
export const validateXai: Validator = (chat, { format }) =>
  format === 'openai-chat'
    ? chat.filter(({ raw }) => isNothing(raw.content)).map(({ at }) => reject('xa-content', noContentText, at))
    : []

const noContentText = 'Invalid request content: Each message must have at least one content element.'

const isNothing = (content: unknown): boolean =>
  content === undefined || content === null || (Array.isArray(content) && content.length === 0)
