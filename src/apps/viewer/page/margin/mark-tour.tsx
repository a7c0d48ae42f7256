import type { Mark } from '../../desk.ts'

interface Props {
  /** How many edits have been made to the sheet that is shown, all of them. */
  readonly healedBy?: number | undefined
  readonly marks: readonly Mark[]
  /** Which of them is open, from the top of the sheet. */
  readonly place: number | undefined
  readonly onGo: (by: 1 | -1) => void
  readonly onList: () => void
}

/** From one diagnostic to the next, and how many there are. */
export function MarkTour({ healedBy, marks: all, place, onGo, onList }: Props) {
  const marks = healedBy === undefined ? all : all.filter(mark => mark.class === undefined)
  if (healedBy !== undefined && marks.length === 0)
    return (
      <p class="tour healthy">Healed by {healedBy === 1 ? 'one edit' : `${healedBy.toLocaleString('en')} edits`}.</p>
    )
  if (marks.length === 0) return <p class="tour healthy">Nothing is wrong here.</p>
  const errors = marks.filter(({ severity }) => severity === 'error').length
  const warnings = marks.length - errors
  return (
    <div class="tour">
      <button type="button" class="button quiet" aria-label="Previous diagnostic" title="p" onClick={() => onGo(-1)}>
        ‹
      </button>
      <button type="button" class={`button quiet tour-count ${errors > 0 ? 'error' : 'warning'}`} onClick={onList}>
        {[counted(errors, 'error'), counted(warnings, 'warning')].filter(Boolean).join(', ')}
        {healedBy !== undefined && (marks.length === 1 ? ' remains' : ' remain')}
        {healedBy === undefined && place !== undefined && marks.length > 1 && (
          <span class="tour-place">
            {(place + 1).toLocaleString('en')} of {marks.length.toLocaleString('en')}
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
