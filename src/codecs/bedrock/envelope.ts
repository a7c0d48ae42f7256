import { isRecord } from '../../core/conversation.ts'
import { type Body, type Envelope, isFilled, readThinking, systemBlocks } from '../shared/envelope.ts'

/** The system prompt is a list of blocks, tools have a separate field, and thinking is among the model-specific fields. */
export const envelope: Envelope = {
  read: body => ({
    tools: isRecord(body.toolConfig) && isFilled(body.toolConfig.tools) ? 'declared' : 'none',
    thinking: readThinking(thinkingOf(body)),
    system: [],
  }),
  write(body, before, after) {
    const changes: Record<string, unknown> = {}
    if (after.system !== before.system) {
      const there = body.system === undefined || body.system === null ? [] : [body.system].flat()
      changes.system = systemBlocks([...there, ...after.system], text => ({ text }))
    }
    if (typeof after.tools !== 'string') {
      const tools = after.tools.map(name => ({ toolSpec: { name, inputSchema: { json: { type: 'object' } } } }))
      const { toolChoice: _, ...rest } = isRecord(body.toolConfig) ? body.toolConfig : {}
      changes.toolConfig = { ...rest, tools }
    }
    if (after.thinking !== before.thinking) changes.additionalModelRequestFields = withoutThinking(body)
    return { ...body, ...changes }
  },
  // A stored prompt adds its own messages and tools before those of the request.
  continues: ({ modelId, promptVariables }) =>
    isRecord(promptVariables) || (typeof modelId === 'string' && modelId.includes(':prompt/')),
}

const thinkingOf = ({ additionalModelRequestFields: fields }: Body): unknown =>
  isRecord(fields) ? (fields.thinking ?? fields.reasoning_config) : undefined

function withoutThinking({ additionalModelRequestFields: fields }: Body): unknown {
  const key = isRecord(fields) && fields.thinking === undefined ? 'reasoning_config' : 'thinking'
  return { ...(isRecord(fields) ? fields : {}), [key]: { type: 'disabled' } }
}
