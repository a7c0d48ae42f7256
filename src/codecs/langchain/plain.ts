import type { Fields } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { contentKey, fieldsOf, roleOf, typeOf } from './form.ts'
import { withFields } from './make.ts'

/** A message as its role, its content and its calls, and the message with others, in its own form. */
export const plain: NonNullable<Codec['plain']> = {
  read(message) {
    const fields = fieldsOf(message as Fields)
    const { tool_calls: calls } = fields
    return {
      role: roleOf(typeOf(message as Fields)),
      content: fields[contentKey(fields)],
      ...(calls !== undefined && { tool_calls: calls }),
    }
  },
  write(message, { content, tool_calls: calls }) {
    const fields = fieldsOf(message as Fields)
    const after = { [contentKey(fields)]: content, ...(calls !== undefined && { tool_calls: calls }) }
    return withFields(message as Fields, { ...fields, ...after })
  },
}
