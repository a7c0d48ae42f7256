import type { ReadingChoices } from '../desk.ts'
import type { Document, TapeDocument } from '../protocol.ts'
import { readHead, readHistory } from './read-history.ts'
import { readStored } from './read-stored.ts'
import { readThread } from './read-thread.ts'
import type { Foreign, Reading } from './reading.ts'

/** Reads a document that is one conversation, for the reader that was chosen. */
export function readDocument(
  document: Exclude<Document, TapeDocument>,
  choices: ReadingChoices = {},
): Reading | Foreign {
  switch (document.kind) {
    case 'history': {
      const { value, options, total } = document
      return (total === undefined ? readHistory : readHead)(value, { ...options, ...choices })
    }
    case 'stored':
      return readStored(document)
    case 'thread':
      return readThread(document, choices)
  }
}
