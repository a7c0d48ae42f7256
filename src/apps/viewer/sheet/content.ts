import type { Codec } from '../../../codecs/codec.ts'
import type { Piece as Said } from '../../../codecs/shared/pieces.ts'
import type { Message, Part } from '../../../core/conversation.ts'
import type { Block, Content } from '../desk.ts'
import { isDeep, jsonText } from './json-text.ts'
import type { Reading } from './reading.ts'
import { pictureOf, saidByOther, saidByResult } from './said.ts'

/** All of what a message holds, part by part. */
export const contentOf = (message: Message, { codec, recordsOf }: Pick<Reading, 'codec' | 'recordsOf'>): Content => ({
  blocks: [
    ...message.parts.flatMap(part => blocksOf(part, codec)),
    ...(recordsOf?.(message) ?? []).map(({ at, text }) => valueBlock(at, text)),
  ],
})

function blocksOf(part: Part, codec: Codec | undefined): Block[] {
  switch (part.kind) {
    case 'text':
      return [{ kind: 'text', title: 'text', text: part.text }]
    case 'reasoning':
      return [{ kind: 'text', title: 'reasoning', text: part.text }]
    case 'call':
      return [valueBlock(part.name || 'call', part.input)]
    case 'result': {
      const title = part.error ? 'error' : 'result'
      const said = saidByResult(part, codec)
      return said.length === 0 ? [valueBlock(title, part.content)] : said.map(piece => blockOf(title, piece))
    }
    case 'other': {
      const said = saidByOther(part, codec)
      return [pictureOf(said) === undefined ? valueBlock(titleOf(said), part.raw) : blockOf('image', said as Said)]
    }
  }
}

const titleOf = (said: Said | undefined): string => (said?.kind === 'media' ? said.type : 'content')

function blockOf(title: string, said: Said): Block {
  const url = pictureOf(said)
  if (url !== undefined) return { kind: 'image', title, url }
  return valueBlock(title, said.kind === 'text' ? said.text : said.kind === 'json' ? said.value : said)
}

/** A value as a tree; a text that is JSON as what it says, and what nobody could draw as text. */
function valueBlock(title: string, value: unknown): Block {
  if (typeof value === 'string') {
    const parsed = parseTree(value)
    return parsed === undefined || isDeep(parsed, depthMax)
      ? { kind: 'text', title, text: value }
      : { kind: 'json', title, value: parsed }
  }
  if (isDeep(value, depthMax)) return { kind: 'text', title, text: jsonText(value) }
  return { kind: 'json', title, value: value ?? null }
}

/** A tree is not drawn deeper than this, nor could it be sent from one thread to another much deeper. */
const depthMax = 200

/** The object or the list that a text is, in JSON. */
function parseTree(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
