import type { Mark, Step } from '../../desk.ts'
import { MarkDetails } from '../margin/mark-details.tsx'

const kindWords: Readonly<Record<Step['kind'], string>> = {
  insert: 'Added',
  remove: 'Removed',
  move: 'Moved',
  replace: 'Replaced',
  rewrite: 'Changed',
  set: 'Set',
}

interface Props {
  readonly edit: Step
  readonly mark: Mark | undefined
  readonly top: number
}

/** In the margin, beside the message that an edit acts on: what it mends. */
export function EditNote({ edit, mark, top }: Props) {
  return (
    <aside
      class={`edit-note ${mark?.severity ?? ''}`}
      aria-label="This edit"
      style={{ transform: `translateY(${top + 3}px)` }}
    >
      <p class="edit-kind">{kindWords[edit.kind]}</p>
      <p>{edit.says}</p>
      {mark && (
        <>
          <p class={`mark-rule ${mark.severity}`}>{mark.rule}</p>
          <MarkDetails mark={mark} />
        </>
      )}
    </aside>
  )
}
