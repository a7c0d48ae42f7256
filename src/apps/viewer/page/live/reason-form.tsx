import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface ReasonFormProps {
  readonly label: string
  readonly confirm: string
  readonly isBusy: boolean
  readonly isRequired?: boolean
  onCancel(): void
  onConfirm(reason: string): unknown
}

/** Asks for a reason, which is also the confirmation. Escape cancels. */
export function ReasonForm({ label, confirm, isBusy, isRequired = false, onCancel, onConfirm }: ReasonFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const name = useId()
  // Before the first paint, so that no key press is lost.
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <form
      class="live-reason"
      onSubmit={event => {
        event.preventDefault()
        onConfirm(field.current?.value.trim() ?? '')
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <label for={name}>{label}</label>
      <input ref={field} id={name} type="text" maxLength={500} autocomplete="off" required={isRequired} />
      <p class="live-buttons">
        <button type="submit" class="button primary" disabled={isBusy}>
          {confirm}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  )
}
