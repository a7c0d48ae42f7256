import type { OpenChoices } from '../document-service.ts'
import type { Document, TapeDocument } from '../protocol.ts'
import { decodeHead, decodeHistoryDocument } from './decode-history.ts'
import { decodeStored } from './decode-stored.ts'
import { decodeThread } from './decode-thread.ts'
import type { DecodedDocument, Unsupported } from './decoded-document.ts'

/** Decodes a document with one conversation, for the chosen provider. */
export function decodeDocument(
  document: Exclude<Document, TapeDocument>,
  choices: OpenChoices = {},
): DecodedDocument | Unsupported {
  switch (document.kind) {
    case 'history': {
      const { value, options, total } = document
      return (total === undefined ? decodeHistoryDocument : decodeHead)(value, { ...options, ...choices })
    }
    case 'stored':
      return decodeStored(document)
    case 'thread':
      return decodeThread(document, choices)
  }
}
