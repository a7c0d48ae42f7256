import type { DiagnosticView } from '../../document-service.ts'

interface Props {
  /** The number of edits, if the repaired history is shown. */
  readonly healedBy?: number | undefined
  readonly diagnostics: readonly DiagnosticView[]
  /** The position of the open diagnostic, from the top. */
  readonly place: number | undefined
  readonly onGo: (by: 1 | -1) => void
  readonly onList: () => void
}

/** Buttons for the previous and the next diagnostic, and their number. */
export function DiagnosticTour({ healedBy, diagnostics: all, place, onGo, onList }: Props) {
  const diagnostics = healedBy === undefined ? all : all.filter(diagnostic => diagnostic.class === undefined)
  if (healedBy !== undefined && diagnostics.length === 0)
    return (
      <p class="tour healthy">Repaired by {healedBy === 1 ? 'one edit' : `${healedBy.toLocaleString('en')} edits`}.</p>
    )
  if (diagnostics.length === 0) return <p class="tour healthy">No errors or warnings.</p>
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  return (
    <div class="tour">
      <button type="button" class="button quiet" aria-label="Previous diagnostic" title="p" onClick={() => onGo(-1)}>
        ‹
      </button>
      <button type="button" class={`button quiet tour-count ${errors > 0 ? 'error' : 'warning'}`} onClick={onList}>
        {[counted(errors, 'error'), counted(warnings, 'warning')].filter(Boolean).join(', ')}
        {healedBy !== undefined && (diagnostics.length === 1 ? ' remains' : ' remain')}
        {healedBy === undefined && place !== undefined && diagnostics.length > 1 && (
          <span class="tour-place">
            {(place + 1).toLocaleString('en')} of {diagnostics.length.toLocaleString('en')}
          </span>
        )}
      </button>
      <button type="button" class="button quiet" aria-label="Next diagnostic" title="n" onClick={() => onGo(1)}>
        ›
      </button>
    </div>
  )
}

const counted = (count: number, word: string): string =>
  count === 0 ? '' : `${count.toLocaleString('en')} ${count === 1 ? word : `${word}s`}`
