import type { Format } from '../../core/conversation.ts'
import { blockFormat } from '../shared/blocks.ts'

export const bedrockFormat: Format = { ...blockFormat, listsContent: true }
