import type { DiagnosticView, EditStep } from '../../document-service.ts'
import { DiagnosticDetails } from '../margin/diagnostic-details.tsx'

const kindWords: Readonly<Record<EditStep['kind'], string>> = {
  insert: 'Added',
  remove: 'Removed',
  move: 'Moved',
  replace: 'Replaced',
  rewrite: 'Changed',
  set: 'Set',
}

interface Props {
  readonly edit: EditStep
  readonly diagnostic: DiagnosticView | undefined
  readonly top: number
}

/** In the margin, next to the message that an edit acts on: what it repairs. */
export function EditNote({ edit, diagnostic, top }: Props) {
  return (
    <aside
      class={`edit-note ${diagnostic?.severity ?? ''}`}
      aria-label="This edit"
      style={{ transform: `translateY(${top + 3}px)` }}
    >
      <p class="edit-kind">{kindWords[edit.kind]}</p>
      <p>{edit.description}</p>
      {diagnostic && (
        <>
          <p class={`diagnostic-rule ${diagnostic.severity}`}>{diagnostic.rule}</p>
          <DiagnosticDetails diagnostic={diagnostic} />
        </>
      )}
    </aside>
  )
}
