import { clockTime } from '../live/times.ts'
import type { OpenDocument } from './use-document.ts'

/** The name of a conversation, and its facts in one line. */
export function DocumentFacts({ present: { document, opened, isHead } }: { readonly present: OpenDocument }) {
  const { counts, format } = opened
  const facts = [
    document.kind === 'stored' ? document.system : format,
    isHead ? 'loading …' : counted(counts.messages, 'message'),
    !isHead && counted(counts.calls, 'call'),
    !isHead && counted(counts.results, 'result'),
    !isHead && counts.orphans > 0 && counted(counts.orphans, 'orphan'),
    !isHead && counts.unanswered > 0 && `${counts.unanswered.toLocaleString('en')} unanswered`,
  ].filter(fact => typeof fact === 'string')
  return (
    <div class="facts">
      <h1 dir="auto">{document.name}</h1>
      <p>{facts.join(' · ')}</p>
      {document.kind === 'stored' && (
        <p class="document-path">
          {document.path}
          {document.at !== undefined && ` · last written ${clockTime(document.at, Date.now())}`}
        </p>
      )}
      {document.kind === 'stored' && document.notes.length > 0 && (
        <ul class="document-notes">
          {document.notes.map(note => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? word : `${word}s`}`
