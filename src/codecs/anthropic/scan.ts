import type { Facts } from '../../core/dialect.ts'
import { hasResultForm } from '../../core/result-blocks.ts'
import { type BlockKind, type BlockReader, BlockScan } from '../shared/block-scan.ts'

interface Block {
  readonly type?: unknown
  readonly text?: unknown
  readonly id?: unknown
  readonly name?: unknown
  readonly input?: unknown
  readonly tool_use_id?: unknown
  readonly content?: unknown
  readonly is_error?: unknown
  readonly signature?: unknown
  readonly data?: unknown
}

const blocks: BlockReader = {
  kindOf(block): BlockKind {
    const { type, signature, data, content } = (block ?? {}) as Block
    switch (type) {
      case 'text':
        return 'text'
      case 'tool_use':
        return 'call'
      case 'tool_result':
        return hasResultForm(content) ? 'result' : undefined
      case 'thinking':
        return isPresent(signature) ? 'thinking' : undefined
      case 'redacted_thinking':
        return isPresent(data) ? 'thinking' : undefined
      case 'image':
      case 'document':
        return 'media'
    }
    return undefined
  },
  text: block => (block as Block).text,
  callId: block => (block as Block).id,
  name: block => (block as Block).name,
  input: block => (block as Block).input,
  answers: block => (block as Block).tool_use_id,
  content: block => (block as Block).content,
  failed: block => (block as Block).is_error === true,
}

const isPresent = (value: unknown): boolean => typeof value === 'string' && value !== ''

export class AnthropicScan extends BlockScan {
  constructor(facts: Facts) {
    super(facts, blocks)
  }

  protected override fresh(facts: Facts): AnthropicScan {
    return new AnthropicScan(facts)
  }
}
