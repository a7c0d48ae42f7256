import { type Format, isRecord, type Part } from '../../core/conversation.ts'
import { blockDecoder, blockFormat } from '../shared/blocks.ts'
import { isProviderRun } from '../shared/scan.ts'
import { idText, numeric, text } from '../shared/text.ts'

export const anthropicFormat: Format = { ...blockFormat, resultText: 'text' }

export const decode = blockDecoder(anthropicFormat, content => content.map(decodeBlock))

function decodeBlock(raw: unknown, slot: number): Part {
  if (!isRecord(raw) || typeof raw.type !== 'string') return { kind: 'other', raw, slot }
  const { type } = raw
  switch (type) {
    case 'text':
      return typeof raw.text === 'string' ? { kind: 'text', text: raw.text, raw, slot } : { kind: 'other', raw, slot }
    case 'tool_use': {
      const id = idText(raw.id)
      const ran = { ...numeric(raw.id), ...(isProviderRun(id) ? { providerRun: true as const } : {}) }
      return {
        kind: 'call',
        id,
        name: text(raw.name),
        input: raw.input,
        callKind: 'function',
        by: 'client',
        ...ran,
        raw,
        slot,
      }
    }
    case 'tool_result': {
      const error = { ...numeric(raw.tool_use_id), ...(raw.is_error === true ? { error: true as const } : {}) }
      return {
        kind: 'result',
        id: idText(raw.tool_use_id),
        content: raw.content,
        ...error,
        callKind: 'function',
        by: 'client',
        raw,
        slot,
      }
    }
    case 'thinking':
      return { kind: 'reasoning', text: text(raw.thinking), signed: isPresent(raw.signature), raw, slot }
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', signed: isPresent(raw.data), raw, slot }
    case 'reasoning':
      return { kind: 'reasoning', text: text(raw.text), signed: false, raw, slot }
    case 'compaction':
      return { kind: 'other', summary: true, raw, slot }
  }
  if (type.endsWith('_tool_use')) {
    return {
      kind: 'call',
      id: idText(raw.id),
      name: text(raw.name),
      input: raw.input,
      callKind: familyOf(type),
      by: 'provider',
      raw,
      slot,
    }
  }
  if (type.endsWith('_tool_result')) {
    return {
      kind: 'result',
      id: idText(raw.tool_use_id),
      content: raw.content,
      callKind: familyOf(type),
      by: 'provider',
      raw,
      slot,
    }
  }
  return { kind: 'other', raw, slot }
}

/** Which results a provider-run call can have: those of a connector differ from those of its own tools. */
const familyOf = (type: string): string => (type.startsWith('mcp_') ? 'mcp' : 'server')

const isPresent = (value: unknown): boolean => typeof value === 'string' && value !== ''
