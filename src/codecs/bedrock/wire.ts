import type { Wire } from '../../core/conversation.ts'
import { blockWire } from '../shared/blocks.ts'

export const wire: Wire = { ...blockWire, listsContent: true }
