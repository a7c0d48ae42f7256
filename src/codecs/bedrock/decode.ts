import { isRecord, type Part } from '../../core/conversation.ts'
import { blockDecoder } from '../shared/blocks.ts'
import { isProviderRun } from '../shared/scan.ts'
import { idText, numeric, text } from '../shared/text.ts'
import { bedrockFormat } from './format.ts'
import { withMarks, withoutMarks } from './marks.ts'
import { isSigned } from './reasoning.ts'
import { isResultContent } from './result-content.ts'

export const decode = blockDecoder(bedrockFormat, content =>
  withMarks(content, (raw, slot) => ({ ...decodeBlock(withoutMarks(raw)), raw, slot })),
)

/** Whether a block is read as a result that the client gave. */
export const isClientResult = (block: unknown): boolean =>
  isRecord(block) && isRecord(block.toolResult) && !isRecord(block.toolUse) && typeof block.toolResult.type !== 'string'

function decodeBlock(block: unknown): Part {
  if (!isRecord(block)) return { kind: 'other' }
  if (isRecord(block.toolUse)) return decodeCall(block.toolUse)
  if (isRecord(block.toolResult)) return decodeResult(block.toolResult)
  if (typeof block.text === 'string') return { kind: 'text', text: block.text }
  if (isRecord(block.reasoningContent)) return decodeReasoning(block.reasoningContent)
  return { kind: 'other' }
}

function decodeCall({ toolUseId, name, input, type }: Record<string, unknown>): Part {
  const called = { kind: 'call', id: idText(toolUseId), ...numeric(toolUseId), name: text(name), input } as const
  if (type === 'server_tool_use') return { ...called, callKind: 'server', by: 'provider' }
  const ran = isProviderRun(called.id) ? { providerRun: true as const } : {}
  return { ...called, callKind: 'function', by: 'client', ...ran }
}

/** Only results of the provider's own tools have a type. */
function decodeResult({ toolUseId, content, status, type }: Record<string, unknown>): Part {
  const failed = status === 'error' ? { error: true as const } : {}
  const result = { kind: 'result', id: idText(toolUseId), ...numeric(toolUseId), content, ...failed } as const
  if (typeof type === 'string') return { ...result, callKind: 'server', by: 'provider' }
  const known = isResultContent(content) ? {} : { malformed: true as const }
  return { ...result, ...known, callKind: 'function', by: 'client' }
}

function decodeReasoning(reasoning: Record<string, unknown>): Part {
  const { reasoningText } = reasoning
  return {
    kind: 'reasoning',
    text: isRecord(reasoningText) ? text(reasoningText.text) : '',
    signed: isSigned(reasoning),
  }
}
