import type { SourceInfo } from '../protocol.ts'
import { onlyItemId } from './limits.ts'
import type { OpenSource } from './open-source.ts'

/** A source that could not be opened: it is listed with the reason. */
export const unreadableSource = (source: SourceInfo, error: Error): OpenSource => ({
  source,
  async list({ onItem, onListed }) {
    onItem({ source: source.id, id: onlyItemId, title: source.name, state: 'unreadable', note: error.message })
    onListed()
  },
  async document() {
    throw error
  },
  async close() {},
})
