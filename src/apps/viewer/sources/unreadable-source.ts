import type { Source } from '../protocol.ts'
import { theOne } from './limits.ts'
import type { OpenSource } from './open-source.ts'

/** What could not be opened, among others that could: it stands in the list and says why. */
export const unreadableSource = (source: Source, error: Error): OpenSource => ({
  source,
  async list({ tell, listed }) {
    tell({ source: source.id, id: theOne, title: source.name, state: 'unreadable', note: error.message })
    listed()
  },
  async document() {
    throw error
  },
  async close() {},
})
