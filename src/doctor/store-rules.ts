import { pages } from '../core/rules/pages.ts'
import { rejectionKinds } from '../heal/rejections/kinds.ts'
import type { RejectionKind } from '../heal/rejections/rejection.ts'

/** Why a rule matters, whether it is one of the core, one that only a store can break, or a kind of rejection. */
export const whyOf = (id: string): string =>
  pages[id]?.why ?? storeRules[id] ?? rejectionKinds[id as RejectionKind]?.why ?? ''

const storeRules: Record<string, string | undefined> = {
  'torn-record': 'A record was cut off while it was written, and the program writes the next one onto its rest.',
  'invalid-text': 'Some bytes are no text in UTF-8, and the program refuses the whole session for them.',
  'byte-order-mark':
    'The program takes the mark for a part of the first record, which it then cannot read. An editor may have added it.',
  'joined-records': 'Two records stand on one line, so the program reads neither.',
  'broken-link': 'A record names a parent that is not there, so the program does not find what was said before it.',
  'broken-numbering':
    'The program reads records by their numbers, and stops or fails where they do not follow each other.',
  'missing-number': 'The program reads events by their numbers, and hides all that stands behind a gap.',
  'repeated-number': 'The program reads events by their numbers, and takes one of two that have the same.',
  'misnamed-event': 'The program refuses an event whose file has another name than it has an id.',
  'unreadable-event': 'The program does not open a conversation with an event that it cannot read.',
  'lost-parent': 'An event names a parent that is not there, so the program does not find what was said before it.',
  'lost-head': 'The program does not know where the conversation ends.',
  'lagging-head': 'The program goes on from a place in the midst of what it did, and does it again.',
  'forgotten-event': 'A summary stands for an event that has another id now, so both would be sent.',
  'misplaced-summary': 'A summary stands between a call and its result.',
  'repeated-event': 'The same record is there twice.',
  'missing-header': 'The program does not open a session that does not begin with its header.',
  'misplaced-header': 'The program does not open a session that does not begin with its header.',
}
