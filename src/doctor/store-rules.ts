import { pages } from '../core/rules/pages.ts'
import { rejectionKinds } from '../heal/rejections/kinds.ts'
import type { RejectionKind } from '../heal/rejections/rejection.ts'

/** Why a rule matters: a rule of the core, one that only a store can break, or a kind of rejection. */
export const whyOf = (id: string): string =>
  pages[id]?.why ?? storeRules[id] ?? rejectionKinds[id as RejectionKind]?.why ?? ''

const storeRules: Record<string, string | undefined> = {
  'torn-record': 'A record was cut off while it was written, and the program appends the next one to its rest.',
  'invalid-text': 'Some bytes are not UTF-8 text, so the program rejects the whole session.',
  'byte-order-mark':
    'The program takes the mark for a part of the first record, which it then cannot read. An editor may have added it.',
  'split-record': 'A text in a record has raw line breaks, so the program takes its lines for several records.',
  'joined-records': 'Two records are on one line, so the program reads neither.',
  'broken-link': 'A record names a missing parent, so the program does not find the messages before it.',
  'dropped-response': 'The program leaves out a response that failed, but sends the results of its calls.',
  'missing-step': 'The program does not open a session in which a step was not begun.',
  'broken-numbering':
    'The program reads records by their numbers, and stops or fails where they do not follow each other.',
  'missing-number': 'The program reads events by their numbers, and hides everything after a gap.',
  'repeated-number': 'The program reads events by their numbers, and uses only one of two with the same number.',
  'misnamed-event': 'The program rejects an event whose file name does not contain its id.',
  'unreadable-event': 'The program does not open a conversation with an event that it cannot read.',
  'unreadable-message': 'The program does not open a session with a message that it cannot read.',
  'misnumbered-message':
    'The program continues after the number of the last message, and replaces the file that already has this number.',
  'lost-parent': 'An event names a missing parent, so the program does not find the messages before it.',
  'lost-head': 'The program does not know where the conversation ends.',
  'lagging-head': 'The program continues from the middle of its work, and repeats it.',
  'forgotten-event': 'A summary replaces an event that has another id now, so both would be sent.',
  'misplaced-summary': 'A summary is between a call and its result.',
  'repeated-event': 'The same record exists twice.',
  'missing-header': 'The program does not open a session that does not begin with its header.',
  'misplaced-header': 'The program does not open a session that does not begin with its header.',
}
