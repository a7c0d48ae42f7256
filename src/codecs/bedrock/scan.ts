import { asRecord } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import { type BlockKind, type BlockReader, BlockScan } from '../shared/block-scan.ts'
import { isMark } from './marks.ts'
import { isSigned, type Reasoning } from './reasoning.ts'
import { isResultContent } from './result-content.ts'

interface Block {
  readonly text?: unknown
  readonly toolUse?: Body
  readonly toolResult?: Body
  readonly reasoningContent?: Reasoning
  readonly image?: unknown
  readonly document?: unknown
  readonly video?: unknown
}

interface Body {
  readonly toolUseId?: unknown
  readonly name?: unknown
  readonly input?: unknown
  readonly content?: unknown
  readonly status?: unknown
  readonly type?: unknown
}

const blocks: BlockReader = {
  kindOf(block): BlockKind {
    if (typeof block !== 'object' || block === null) return undefined
    // Each field is read only if those before it are missing: reads of a field on objects of many shapes are slow (megamorphic).
    const { toolUse } = block as Block
    if (toolUse) return toolUse.type === undefined ? 'call' : undefined
    const { toolResult } = block as Block
    if (toolResult) return toolResult.type === undefined && isResultContent(toolResult.content) ? 'result' : undefined
    if (typeof (block as Block).text === 'string') return 'text'
    const { reasoningContent, image, document, video } = block as Block
    if (reasoningContent) return isSigned(reasoningContent) ? 'thinking' : undefined
    if (image || document || video) return 'media'
    return isMark(block) ? 'mark' : undefined
  },
  text: block => (block as Block).text,
  callId: block => (block as Block).toolUse?.toolUseId,
  name: block => (block as Block).toolUse?.name,
  input: block => (block as Block).toolUse?.input,
  answers: block => (block as Block).toolResult?.toolUseId,
  content: block => (block as Block).toolResult?.content,
  failed: block => (block as Block).toolResult?.status === 'error',
}

export class BedrockScan extends BlockScan {
  constructor(facts: Facts) {
    super(facts, blocks)
  }

  protected override fresh(facts: Facts): BedrockScan {
    return new BedrockScan(facts)
  }

  override push(message: unknown): boolean {
    return typeof asRecord(message).content !== 'string' && super.push(message)
  }
}
