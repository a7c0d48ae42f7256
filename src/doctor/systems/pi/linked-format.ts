import { createHash } from 'node:crypto'
import type { LinkedFormat } from '../../linked/linked-format.ts'
import type { RecordFields } from '../../record-format.ts'
import { answerTo, filledPart, withParts } from './entry-contents.ts'
import { readPiPath } from './read-path.ts'

/** How pi stores a conversation: a tree of entries, of which the last one of the file is where it continues. */
export const piFormat: LinkedFormat = {
  dialect: 'anthropic',
  keys: {
    id: 'id',
    parent: 'parentId',
    isLinked: ({ type }) => typeof type === 'string' && type !== 'session' && type !== 'title',
    title: ({ type, name, title }) => (type === 'session_info' ? name : titleTypes.has(type) ? title : undefined),
    names: ({ type, firstKeptEntryId, targetId, fromId }) =>
      type === 'context_edit' ? [] : [firstKeptEntryId, targetId, fromId].filter(id => id !== undefined),
  },
  newId: (...seeds) => createHash('sha256').update(JSON.stringify(seeds)).digest('hex').slice(0, 8),
  readPath: readPiPath,
  fill: filledPart,
  write: (entry, parts) => withParts(entry, parts),
  answer: answerTo,
  emptied: ({ type: _, message, ...rest }: RecordFields) => ({
    type: 'custom',
    ...rest,
    customType: 'antiphon-removed',
    data: { message },
  }),
}

/** The entries of oh-my-pi with a title. */
const titleTypes = new Set<unknown>(['title', 'title_change'])
