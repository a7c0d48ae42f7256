import { useState } from 'preact/hooks'
import { ReasonForm } from './reason-form.tsx'
import type { ThreadActions } from './use-actions.ts'
import { useFocusReturn } from './use-focus-return.ts'

interface InterruptFormProps {
  readonly turn: number
  readonly act: ThreadActions['act']
  readonly isBusy: boolean
}

/** Interrupts the turn that is shown, never a later one. */
export function InterruptForm({ turn, act, isBusy }: InterruptFormProps) {
  const [isAsking, setAsking] = useState(false)
  const button = useFocusReturn(isAsking)
  if (!isAsking)
    return (
      <p class="live-buttons">
        <button
          ref={button}
          type="button"
          class="button live-interrupt"
          disabled={isBusy}
          onClick={() => setAsking(true)}
        >
          Interrupt turn {turn} …
        </button>
      </p>
    )
  return (
    <ReasonForm
      label="Reason for the interruption"
      confirm={`Interrupt turn ${turn}`}
      isBusy={isBusy}
      isRequired
      onCancel={() => setAsking(false)}
      onConfirm={async reason => {
        if (await act({ do: 'interrupt', reason, turn })) setAsking(false)
      }}
    />
  )
}
