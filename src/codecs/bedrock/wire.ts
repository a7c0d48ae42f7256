import type { Format } from '../../core/conversation.ts'
import { blockWire } from '../shared/blocks.ts'

export const wire: Format = { ...blockWire, listsContent: true }
