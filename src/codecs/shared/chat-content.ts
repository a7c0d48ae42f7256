import { type Blank, isRecord, type Part, type TextPart } from '../../core/conversation.ts'

/** Content in chat formats: a text, or a list of blocks. */
export interface Content {
  readonly parts: Part[]
  readonly blank?: Blank
}

export function readContent(content: unknown, read = readBlock): Content {
  if (typeof content === 'string')
    return content === '' ? { parts: [], blank: 'empty' } : { parts: [{ kind: 'text', text: content }] }
  if (content === undefined) return { parts: [], blank: 'missing' }
  if (content === null) return { parts: [], blank: 'null' }
  if (!Array.isArray(content)) return { parts: [{ kind: 'other', field: 'content', raw: content }] }
  if (content.length === 0) return { parts: [], blank: 'missing' }
  return { parts: content.map(read) }
}

export function readBlock(raw: unknown, slot: number): Part {
  if (isRecord(raw) && raw.type === 'text' && typeof raw.text === 'string')
    return { kind: 'text', text: raw.text, raw, slot }
  return { kind: 'other', raw, slot }
}

/** The content that these parts of a message are; it must have some. */
export function writeContent(parts: readonly Part[]): unknown {
  const content = parts.filter(isContent)
  const [first] = content
  if (content.length === 1 && first?.kind === 'other' && first.field === 'content') return first.raw
  return content.every((part): part is TextPart => part.kind === 'text' && part.raw === undefined)
    ? content.map(part => part.text).join('\n\n')
    : content.map(writeBlock)
}

/** The content, also where it is neither a text nor a list. */
const isContent = (part: Part): boolean =>
  part.kind === 'text' || (part.kind === 'other' && (part.field === undefined || part.field === 'content'))

function writeBlock(part: Part): unknown {
  if (part.kind !== 'text') return part.raw
  if (!isRecord(part.raw)) return { type: 'text', text: part.text }
  return part.raw.text === part.text ? part.raw : { ...part.raw, text: part.text }
}
