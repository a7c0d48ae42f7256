import type { Wire } from '../../core/conversation.ts'
import { blockWire } from '../blocks.ts'

export const wire: Wire = { ...blockWire, listsContent: true }
