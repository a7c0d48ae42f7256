import { type CodecId, codecs } from '../../codecs/index.ts'
import type { Message } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import { depthMax, isTooDeep } from '../../core/json/nesting.ts'
import { packBytes } from '../bytes.ts'
import type { InputSubmit } from '../entry.ts'

/** Input as it is stored: a text that is not blank, or a user message in the format of the thread. Throws if it is neither. */
export function checkInput(content: unknown, format: CodecId): Pick<InputSubmit, 'content' | 'format'> {
  if (typeof content === 'string' && content.trim() !== '') return { content }
  const messages = Array.isArray(content) ? content : [content]
  const decoded = typeof content === 'object' && content !== null ? codecs[format].decode(messages).messages : []
  if (decoded.length === 0 || !decoded.every(isUserMessage))
    throw new AntiphonError(
      'invalid-input',
      'input must be a text that is not blank, or a user message in the format of the thread',
      {
        hint: `the format of the thread is ${format}`,
      },
    )
  if (isTooDeep(content))
    throw new AntiphonError('invalid-input', `input must not be nested deeper than ${depthMax} levels`, {
      hint: 'send the nested part as a text',
    })
  return { content: JSON.parse(JSON.stringify(packBytes(content))), format }
}

/** A format can also hold calls and reasoning in a message of this role. For another provider they would become a message of the assistant. */
const isUserMessage = ({ role, parts }: Message): boolean =>
  role === 'user' && parts.length > 0 && parts.every(({ kind }) => kind === 'text' || kind === 'other')
